"""A FastAPI application with the request models of AgentGym's TextCraft and WebShop servers and handlers that do nothing:
what it answers to bad requests is what ours must answer. Usage: gym_fastapi.py <port>."""
import sys
from typing import Optional

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI(strict_content_type=False)


class Create(BaseModel):
    commands: Optional[str] = None
    goal: Optional[str] = None


class Step(BaseModel):
    id: int
    action: str


class Reset(BaseModel):
    id: int
    data_idx: Optional[int] = 0


class Close(BaseModel):
    id: int


@app.get("/")
def root():
    return "This is environment TextCraft."


@app.post("/create")
async def create(body: Create):
    return {"ok": True}


@app.post("/step")
async def step(body: Step):
    return {"error": f"The id {body.id} is not valid."}


@app.post("/reset")
async def reset(body: Reset):
    return {"error": f"The id {body.id} is not valid."}


@app.get("/observation")
async def observation(id: int):
    return {"error": f"The id {id} is not valid."}


@app.post("/close")
async def close(body: Close):
    return False


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
