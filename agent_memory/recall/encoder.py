"""Models that turn text into vectors: what they must offer, and those that come with the extra ``semantic``."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from agent_memory.errors import UsageError

_PROVIDER: Final = "litellm:"
_TOKENS: Final = 256
_AT_ONCE: Final = 32


class Encoder(Protocol):
    """``encode`` gives a row of ``dim`` numbers for each text, of length 1 (numpy, float32)."""

    name: str
    version: str
    dim: int

    def encode(self, texts: Sequence[str]) -> Any:
        """Vectors of texts, in their order."""
        ...


class OnnxEncoder:
    """A sentence encoder in a folder: ``model.onnx`` (input_ids, attention_mask → pooled rows) and ``tokenizer.json``.

    Nothing is downloaded. One thread, so that a machine at work does not notice.
    """

    def __init__(self, folder: Path) -> None:
        try:
            import onnxruntime
            import tokenizers
        except ImportError as error:
            raise UsageError(f"the semantic arm needs {error.name}",
                             hint="pip install 'agent-utilities-memory[semantic]'") from error
        model, tokens = folder / "model.onnx", folder / "tokenizer.json"
        for path in (model, tokens):
            if not path.is_file():
                raise UsageError(f"{path} is missing",
                                 hint="The folder of a local model holds both: docs/decisions/0020-semantic-arm.md.")
        self._tokenizer = tokenizers.Tokenizer.from_file(str(tokens))
        self._tokenizer.enable_truncation(_TOKENS)
        self._tokenizer.enable_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self.name = folder.name
        self.version = hashlib.blake2b(model.read_bytes(), digest_size=8).hexdigest()
        self.dim = int(self._session.get_outputs()[0].shape[-1])

    def encode(self, texts: Sequence[str]) -> Any:
        """Vectors of texts; equally long ones go together, since padding costs."""
        import numpy

        out = numpy.zeros((len(texts), self.dim), numpy.float32)
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        for first in range(0, len(order), _AT_ONCE):
            part = order[first:first + _AT_ONCE]
            found = self._tokenizer.encode_batch([texts[i] for i in part])
            out[part] = self._session.run(None, {
                "input_ids": numpy.array([f.ids for f in found], numpy.int64),
                "attention_mask": numpy.array([f.attention_mask for f in found], numpy.int64)})[0]
        return out


class ProviderEncoder:
    """An embedding model of any provider that LiteLLM knows, as ``provider/model``. Texts leave the machine."""

    def __init__(self, model: str) -> None:
        self.name, self.version = model, "1"
        self.dim = int(self.encode(["dimension"]).shape[1])

    def encode(self, texts: Sequence[str]) -> Any:
        """Vectors of texts, made length 1."""
        import numpy

        from agent_memory.llm.providers.litellm_embedding import embed

        rows = numpy.asarray(embed(self.name, texts), numpy.float32)
        return rows / numpy.maximum(numpy.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def open_encoder(wanted: str) -> Encoder:
    """The encoder that a setting names: ``litellm:provider/model``, or the folder of a local model.

    Raises:
        UsageError: a package or a file is missing; the hint says which.
    """
    if wanted.startswith(_PROVIDER):
        return ProviderEncoder(name_of(wanted))
    return OnnxEncoder(Path(wanted).expanduser())


def name_of(wanted: str) -> str:
    """The name that the encoder of a setting gives its vectors, without opening it.

    >>> name_of("litellm:openai/small"), name_of("~/models/mini")
    ('openai/small', 'mini')
    """
    return wanted.removeprefix(_PROVIDER) if wanted.startswith(_PROVIDER) else Path(wanted).expanduser().name
