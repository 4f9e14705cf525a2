"""A llama.cpp server with a model of a few thousand numbers: `python -m tests.judge.tiny_model FILE [SHARE …]`.

The model says the digits 1, 2, … with the shares that are given, a fifth of each after a space, whatever it is asked;
what is left of 1 goes to the letter x. It prints the server's address and stops when its input is closed.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import gguf
import numpy as np

WIDTH, INNER, HEADS = 32, 64, 4
BYTES = 259
SPACED = 0.2
TEMPLATE = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}"


def pieces() -> list[str]:
    """The tokens after the special ones and the bytes."""
    marks = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,:\n"
    return ["▁", *marks, *("▁" + mark for mark in "0123456789ABCDEFGHIJ")]


def write(path: Path, shares: list[float]) -> None:
    """A GGUF whose output is the same after every prompt."""
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{i:02X}>" for i in range(256)), *pieces()]
    logits = np.full(len(tokens), -30.0)
    for i, share in enumerate(shares):
        for token, part in ((str(i + 1), 1 - SPACED), (f"▁{i + 1}", SPACED)):
            logits[tokens.index(token)] = math.log(max(share * part, 1e-9))
    logits[tokens.index("x")] = math.log(max(1 - sum(shares), 1e-9))
    writer = gguf.GGUFWriter(path, "llama")
    _describe(writer, tokens)
    embedding = np.zeros((len(tokens), WIDTH), np.float32)
    embedding[:, 0] = 1  # after normalisation the first number of every state is √WIDTH, the others are 0
    output = np.zeros((len(tokens), WIDTH), np.float32)
    output[:, 0] = logits / math.sqrt(WIDTH)
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))
    writer.add_tensor("output.weight", output)
    for name in ("attn_norm", "ffn_norm"):
        writer.add_tensor(f"blk.0.{name}.weight", np.ones(WIDTH, np.float32))
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        writer.add_tensor(f"blk.0.{name}.weight", np.zeros((WIDTH, WIDTH), np.float32))
    for name, shape in (("ffn_gate", (INNER, WIDTH)), ("ffn_up", (INNER, WIDTH)), ("ffn_down", (WIDTH, INNER))):
        writer.add_tensor(f"blk.0.{name}.weight", np.zeros(shape, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _describe(writer: gguf.GGUFWriter, tokens: list[str]) -> None:
    writer.add_context_length(8192)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(0)
    writer.add_tokenizer_model("llama")
    writer.add_token_list([token.encode() for token in tokens])
    writer.add_token_scores([-float(i) for i in range(len(tokens))])
    writer.add_token_types([2, 3, 3] + [6] * 256 + [1] * (len(tokens) - BYTES))
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_chat_template(TEMPLATE)


def main() -> None:
    import xllamacpp

    path = Path(sys.argv[1])
    write(path, [float(share) for share in sys.argv[2:]])
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx, params.warmup = 8192, False
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
