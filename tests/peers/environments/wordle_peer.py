"""LMRL-Gym's own game of Wordle. Usage: wordle_peer.py <checkout of LMRL-Gym>; reads a JSON list of [seed, guesses] and prints, for each guess
until the game ends, the answer, the reward as AgentGym's server gives it, the end, and the words that are left."""
import json
import random
import sys
import types

ROOT = sys.argv[1]
sys.path.insert(0, ROOT)
sys.modules["termcolor"] = types.SimpleNamespace(colored=lambda text, *_: text)  # only colours of a terminal

from llm_rl_scripts.wordle.env.game import Vocabulary, WordleGame  # noqa: E402


def play(seed, guesses):
    vocabulary = Vocabulary.from_file(f"{ROOT}/llm_rl_scripts/wordle/vocab/tweet_words.txt")
    vocabulary.rng = random.Random(seed)
    game = WordleGame.initialize(vocabulary)
    for guess in guesses:
        game, reward, done = game.next(guess)
        answer = game.transition_sequence()[-1]
        yield [answer.replace("<", "").replace(">", ""), reward + 1 if reward <= 0 else reward, done, game.vocab.filtered_vocab]
        if done:
            return


json.dump([list(play(seed, guesses)) for seed, guesses in json.load(sys.stdin)], sys.stdout)
