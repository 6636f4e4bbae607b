"""Small models of old opsets at every other opset: what `reduce check --fix` writes, other readers take as the same.

usage: python opsets.py REDUCE    (needs: pip install onnx onnxruntime; without them the status is 77)
"""
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnx.parser
    import onnxruntime
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

# The opset, inputs, outputs and nodes; whether it has a form at opset 18. Every model has a reduction, too.
MODELS = [
    (11, "float[2,1,3] x", "float[2] y", "s = Squeeze <axes = [1]> (x) y = ReduceMean <axes = [1], keepdims = 0> (s)", False),
    (11, "float[1,3] x", "float[3] y", "m = ReduceMax <axes = [0]> (x) y = Squeeze (m)", True),
    (11, "float[2,3] x", "float[2,3,1] y", "m = ReduceL2 <axes = [1]> (x) d = Div (x, m) y = Unsqueeze <axes = [2]> (d)", False),
    (11, "float[2,4] x", "float[2,1] y", "a, b = Split <axis = 1> (x) d = Sub (a, b) y = ReduceMean <axes = [1]> (d)", False),
    (11, "float[2,4] x", "float[2,1] y", "a, b = Split <axis = 1, split = [1, 3]> (x) y = ReduceSum <axes = [1]> (b)", False),
    (13, "float[2,4] x", "float[2,1] y", "n = Constant <value_ints = [1, 3]> () a, b = Split <axis = 1> (x, n) y = ReduceMean <axes = [1]> (b)", True),
    (11, "float[2,3] x", "float[2,1] y", "s = Softmax (x) y = ReduceMean <axes = [1]> (s)", True),
    (11, "float[2,3,4] x", "float[2,3,1] y", "s = Softmax (x) y = ReduceMean <axes = [2]> (s)", False),
    (11, "float[2,3,4] x", "float[2,3,1] y", "s = LogSoftmax <axis = -1> (x) y = ReduceMean <axes = [2]> (s)", True),
    (11, "float[2,3,4] x", "float[2,1,1] y", "s = Hardmax <axis = 2> (x) y = ReduceMax <axes = [1, 2]> (s)", True),
    (7, "float[2,3] x", "float[2,1] y", "d = Dropout <ratio = 0.5> (x) y = ReduceMean <axes = [1]> (d)", False),
    (7, "float[2,3] x", "float[2,1] y", "d, mask = Dropout (x) y = ReduceMean <axes = [1]> (d)", True),
    (6, "float[2,3] x", "float[2,1] y", "d = Dropout <is_test = 1> (x) y = ReduceMean <axes = [1]> (d)", False),
    (9, "float[2,3] x", "float[2,1] y", "c = Clip <min = 0.0, max = 1.0> (x) y = ReduceMean <axes = [1]> (c)", False),
    (9, "float[2,3] x", "float[2,1] y", "c = Clip (x) y = ReduceLogSumExp <axes = [1]> (c)", True),
    (9, "float[1,1,2,2] x", "float[1,1,1,1] y", "s = Constant <value = float[4] {1, 1, 2, 2}> () u = Upsample (x, s) y = ReduceSum <axes = [2, 3]> (u)", False),
    (11, "float[1,1,4,4] x", "float[1,1,1,1] y", "p = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x) y = ReduceProd <axes = [2, 3]> (p)", True),
    (11, "float[1,2,4,4] x", "float[1,2,1,1] y", "r = Relu (x) p = AveragePool <kernel_shape = [3, 3], ceil_mode = 1> (r) y = ReduceMean <axes = [2, 3]> (p)", True),
    (12, "float[2,3] x", "int64[2] y", "t = Transpose (x) c = Cast <to = 7> (t) m = ReduceMin <axes = [0], keepdims = 0> (c) y = Abs (m)", None),
    (11, "float[2,3] x, bool c", "float[2,1] y", "y = If (c) <then_branch = t () => (float[2,1] a) { a = ReduceMean <axes = [1]> (x) }, else_branch = e () => (float[2,1] b) { b = ReduceMax <axes = [-1]> (x) }>", True),
    (11, "float[2,1,3] x, bool c", "float[2,3] y", "y = If (c) <then_branch = t () => (float[2,3] a) { a = Squeeze <axes = [1]> (x) }, else_branch = e () => (float[2,3] b) { b = ReduceSum <axes = [1], keepdims = 0> (x) }>", False),
]
FUNCTION = """<ir_version: 8, opset_import: ["": 14, "own": 1]> m (float[2,3] x) => (float[2,1] y) { y = own.f <a = -1> (x) }
<domain: "own", opset_import: ["": 13]> f <a> (x) => (y) { s = Softmax <axis = -1> (x) y = ReduceMean <axes = [1]> (s) }"""


def models():
    for opset, inputs, outputs, nodes, has_form in MODELS:
        text = f'<ir_version: 7, opset_import: ["": {opset}]> m ({inputs}) => ({outputs}) {{ {nodes} }}'
        yield onnx.parser.parse_model(text), has_form
    yield onnx.parser.parse_model(FUNCTION), True


def results(model):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    numbers = np.random.default_rng(7)
    kinds = {"tensor(float)": lambda shape: numbers.normal(size=shape).astype(np.float32), "tensor(bool)": lambda shape: np.array(True)}
    return session.run(None, {given.name: kinds[given.type](given.shape) for given in session.get_inputs()})


def main(reduce):
    written = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        old, new = os.path.join(folder, "old.onnx"), os.path.join(folder, "new.onnx")
        for model, has_form in models():
            onnx.save(model, old)
            onnx.checker.check_model(model, full_check=True)
            expected = results(model)
            for opset in range(7, onnx.defs.onnx_opset_version() + 1):
                what = f"opset {opset} of {onnx.printer.to_text(model)}"
                line = [reduce, "check", "--fix", "--target-opset", str(opset), "-o", new, old]
                told = subprocess.run(line, capture_output=True, text=True)
                assert told.returncode in (0, 1) and not told.stderr, f"{told} {what}"
                is_written = os.path.exists(new)
                assert is_written == (told.returncode == 0), f"{told.stdout} {what}"
                assert opset != 18 or has_form in (None, is_written), f"{told.stdout} {what}"
                refused += not is_written
                if is_written:
                    written += 1
                    other = onnx.load(new)
                    onnx.checker.check_model(other, full_check=True)
                    for one, two in zip(expected, results(other)):
                        np.testing.assert_allclose(one, two, rtol=1e-6, err_msg=what)
                    os.remove(new)
    print(f"{written} models were written and are the same; {refused} were refused")


if __name__ == "__main__":
    main(sys.argv[1])
