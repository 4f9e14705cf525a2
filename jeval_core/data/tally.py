"""A stream of bytes that counts what decides about its layout while somebody else reads it."""

from __future__ import annotations

import numpy as np

from jeval_core.data.arrow import pa

LF, CR = b"\n\r"
ENDS = b"\r\n"


class Tally:
    """Passes blocks on. `lines` counts line feeds; `tail` is the run of line ends at the end, `size` all bytes."""

    def __init__(self, stream: pa.NativeFile) -> None:
        self._stream = stream
        self.closed = False
        self.size = self.lines = self.returns = self.pairs = 0
        self.tail = b""
        self.nul = False

    @property
    def plain_ends(self) -> bool:
        """Whether every carriage return stands before a line feed."""
        return self.returns == self.pairs

    @property
    def end(self) -> int:
        """Where the text ends, the line ends at the end of the file left out."""
        return self.size - len(self.tail)

    @property
    def inner_lines(self) -> int:
        """Line feeds before `end`."""
        return self.lines - self.tail.count(b"\n")

    def read_buffer(self, size: int) -> pa.Buffer:
        """The next block. Arrow asks for it under this name, and memory of its own is what it gives back soonest."""
        block = self._stream.read_buffer(size)
        if block.size:
            self._count(memoryview(block).cast("B"))
        return block

    def read(self, size: int) -> bytes:
        """The same as bytes."""
        return bytes(self.read_buffer(size))

    def close(self) -> None:
        """Close the stream below."""
        self.closed = True
        self._stream.close()

    def _count(self, block: memoryview) -> None:
        cells = np.frombuffer(block, np.uint8)
        feeds, returns = cells == LF, cells == CR
        self.lines += int(np.count_nonzero(feeds))
        found = int(np.count_nonzero(returns))
        if found:
            self.returns += found
            self.pairs += int(np.count_nonzero(returns[:-1] & feeds[1:]))
        self.pairs += self.tail.endswith(b"\r") and feeds[0]
        self.nul = self.nul or not cells.all()
        self.size += len(block)
        text = len(block)
        while text and block[text - 1] in ENDS:
            text -= 1
        self.tail = bytes(block[text:]) if text else self.tail + bytes(block)
