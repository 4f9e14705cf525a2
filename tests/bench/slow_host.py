"""A host that takes its time and little of the processor: `python -m tests.bench.slow_host PORT SECONDS`."""

from __future__ import annotations

import asyncio
import json
import sys

ANSWER = {
    "model": "jev-1.13.0",
    "answers": {"g_eval": {"type": "score", "probabilities": {"0": 0.0, "1": 0.0, "2": 0.05, "3": 0.2, "4": 0.75}}},
    "usage": {"input_tokens": 318, "output_tokens": 34},
}


async def serve(port: int, seconds: float) -> None:
    """Answer every request after so many seconds."""
    body = json.dumps(ANSWER).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n".encode()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                lines = (await reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
                length = next(line for line in lines if line.startswith(b"content-length"))
                await reader.readexactly(int(length.partition(b":")[2]))
                await asyncio.sleep(seconds)
                writer.write(head + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", port)
    print("up", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), float(sys.argv[2])))
