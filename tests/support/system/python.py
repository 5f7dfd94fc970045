"""Runs each program that comes as a line of JSON, and answers with a line: what it printed, or why it failed."""

import contextlib
import io
import json
import os
import sys
import traceback

for line in sys.stdin:
    order = json.loads(line)
    os.chdir(order["cwd"])
    os.environ.update(order["env"])
    printed = io.StringIO()
    answer = {}
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(order["code"], "example", "exec"), {"__name__": "__main__"})
        answer["output"] = printed.getvalue()
    except BaseException:
        answer["error"] = traceback.format_exc()
    print(json.dumps(answer), flush=True)
