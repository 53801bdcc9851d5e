/**
 * What stands between a program and us inside the interpreter, in Python. It runs a program once per input and gives back what it printed
 * or returned, as JSON. It knows no expected answer, so that nothing can be gained by tampering with it.
 */

/** Where the harness finds what it runs, and leaves what came of it; how it is called. */
export const requestFile = '/agoge-request.json';
export const answerFile = '/agoge-answer.json';
export const call = '_agoge_run()';

export const harness = `
def _agoge_setup():
    import ast, builtins, gc, io, json, sys
    import bisect, collections, copy, datetime, functools, heapq, itertools, math, operator, random, re, statistics, string, typing
    prelude = "\\n".join("from %s import *" % name for name in (
        "string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json builtins typing".split()
    )) + "\\n" + "import " + ", ".join(
        "string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json".split()
    ) + "\\n"
    for name in list(sys.modules):
        if name == "js" or "pyodide" in name or name in ("_hiwire", "micropip", "webbrowser"):
            sys.modules[name] = None
    for name in ("js", "pyodide", "pyodide_js", "pyodide.code", "pyodide.ffi", "pyodide.http", "_pyodide", "_pyodide_core", "micropip",
                 "ctypes", "_ctypes", "subprocess", "socket", "_socket", "ssl", "urllib.request", "http.client", "multiprocessing"):
        sys.modules[name] = None
    # What is still held of JavaScript goes now, while it can be let go.
    gc.collect()
    sys.setrecursionlimit(3000)

    class Full(Exception):
        pass

    class Screen(io.StringIO):
        def __init__(self, most):
            super().__init__()
            self.left = most
        def write(self, text):
            self.left -= len(text)
            if self.left < 0:
                raise Full("the output is too long")
            return super().write(text)

    def main_block(code):
        # What stands under  if __name__ == "__main__"  is run like the rest.
        try:
            tree = ast.parse(code)
            last = tree.body[-1]
            if isinstance(last, ast.If) and ast.unparse(last.test).strip() == "__name__ == '__main__'":
                return ast.unparse(tree.body[:-1]) + "\\n" + ast.unparse(last.body)
        except Exception:
            pass
        return code

    def described(error):
        kind = type(error).__name__
        return json.dumps({"error": kind + ": " + str(error)[:200], "compiles": not isinstance(error, SyntaxError)})

    def run(code, given, function, most):
        screen = Screen(most)
        before = sys.stdin, sys.stdout, sys.stderr
        sys.stdin, sys.stdout, sys.stderr = io.StringIO(given), screen, Screen(most)
        try:
            space = {"__name__": "solution"}
            exec(compile(prelude, "<prelude>", "exec"), space)
            exec(compile(main_block(code) if function == "" else code, "<string>", "exec"), space)
            if function == "":
                return json.dumps({"printed": screen.getvalue()})
            owner = space["Solution"]() if "class Solution" in code else None
            called = getattr(owner, function) if owner is not None else space[function]
            return json.dumps({"returned": called(*[json.loads(line) for line in given.split("\\n")])})
        except SystemExit:
            return json.dumps({"printed": screen.getvalue()} if function == "" else {"error": "SystemExit", "compiles": True})
        except BaseException as error:
            return described(error)
        finally:
            sys.stdin, sys.stdout, sys.stderr = before

    loads, opened = json.loads, open

    def answer():
        with opened("${requestFile}") as file:
            request = loads(file.read())
        text = run(request["code"], request["given"], request["function"], request["most"])
        with opened("${answerFile}", "w") as file:
            file.write(text)

    return answer

_agoge_run = _agoge_setup()
`;
