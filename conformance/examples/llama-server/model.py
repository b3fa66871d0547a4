"""Writes a GGUF file: a llama model of one layer with random weights, and a chat template with tool calls.

Usage: model.py PATH. It needs the packages gguf and numpy. The model writes nonsense, but it ends its answers, and it opens a call
of a tool so often that llama-server's grammar makes whole calls of it.
"""

import sys
from pathlib import Path

import numpy
from gguf import GGUFWriter, TokenType

WIDTH, HEADS = 64, 4
PRINTABLE = ["\u2581"] + [chr(code) for code in range(33, 127)]
VOCABULARY = (
    [("<unk>", TokenType.UNKNOWN), ("<s>", TokenType.CONTROL), ("</s>", TokenType.CONTROL)]
    + [("<0x%02X>" % byte, TokenType.BYTE) for byte in range(256)]
    + [(text, TokenType.NORMAL) for text in PRINTABLE]
    + [("<tool_call>", TokenType.USER_DEFINED), ("</tool_call>", TokenType.USER_DEFINED)]
)
TOKENS = [text for text, _ in VOCABULARY]

# Added to the logits of a token by way of the first dimension, which is the same in every state of the model.
LIKELY = {"</s>": 0.4, "<tool_call>": 0.5, "</tool_call>": 0.5, '"': 0.5}
UNLIKELY = -3.0

random = numpy.random.default_rng(7)


def weights(*shape, scale=0.02):
    return (random.standard_normal(shape) * scale).astype(numpy.float32)


def describe(writer):
    writer.add_name("tiny-random")
    writer.add_context_length(8192)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(WIDTH)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(TOKENS))
    writer.add_file_type(0)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(TOKENS)
    writer.add_token_scores([-1000.0] * len(TOKENS))
    writer.add_token_types([kind for _, kind in VOCABULARY])
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(Path(__file__).with_name("template.jinja").read_text(encoding="utf-8"))


def fill(writer):
    embedding = weights(len(TOKENS), WIDTH, scale=0.5)
    embedding[:, 0] = 4.0
    output = weights(len(TOKENS), WIDTH, scale=0.3)
    output[:, 0] = 0.0
    # Control tokens and single bytes, which need not be UTF-8.
    output[: 3 + 256, 0] = UNLIKELY
    for text, bias in LIKELY.items():
        output[TOKENS.index(text), 0] = bias
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output_norm.weight", numpy.ones(WIDTH, numpy.float32))
    writer.add_tensor("output.weight", output)
    for name in ("attn_norm", "ffn_norm"):
        writer.add_tensor(f"blk.0.{name}.weight", numpy.ones(WIDTH, numpy.float32))
    for name in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"):
        writer.add_tensor(f"blk.0.{name}.weight", weights(WIDTH, WIDTH))


writer = GGUFWriter(sys.argv[1], "llama")
describe(writer)
fill(writer)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
