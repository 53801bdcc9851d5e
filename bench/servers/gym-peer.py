# The peer of bench/servers/gym.ts: the barest FastAPI application, one uvicorn worker, handlers that look at nothing and do nothing.
import sys

import uvicorn
from fastapi import FastAPI

app = FastAPI()


@app.post("/create")
async def create():
    return None


@app.post("/step")
async def step():
    return None


@app.post("/close")
async def close():
    return None


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", access_log=False)
