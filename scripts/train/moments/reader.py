"""Trains what reads key moments out of the encoders' states: the second step of `npm run train:moments`.

Attention pools the states of a turn's pieces, by either encoder, into one vector of 128 numbers. A small network reads
those of a turn, of the two before it and what it attends to of the eight before it (what does the turn do?), another
those of a turn and an earlier one (does it accept or reject what was said there?). Each says so twice: at once, and in
hindsight, when the turn after is known. All are trained together, so that the pooling learns what the others need. It
is the one script of the project in Python: it needs automatic differentiation, for which there is no library in
JavaScript that is as quick on a processor. Debian's python3-torch is enough.

Reads build/moments/{sentence,minilm}-states.bin and dialogues.json; writes there weights.bin and weights.json (32-bit
floats, for scripts/train/moments.ts) and readings.json: log-odds for every turn and pair, at once and in hindsight, by
networks that saw nothing of its fold. With the number of a fold it trains without that one only, says how well it reads
it, and writes nothing.
"""

import json
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

BUILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../build/moments")
# Names of the encoders, and numbers in a state.
ENCODERS = {"sentence": 512, "minilm": 384}
HEADS = 8
WIDTH = 256
UNITS = 128
FLAGS = 6
AFTER_FLAGS = 3
# Turns attended to, and heads that attend to them.
CONTEXT_TURNS = 8
CONTEXT_HEADS = 4
OUTPUTS = ["objection", "cta_offered", "cta_accepted", "cta_rejected", "topic_shift"]
ANSWERS = ["cta_accepted", "cta_rejected"]
WHEN = ["at_once", "in_hindsight"]

EPOCHS = 8
BATCH = 8
RATE = 1e-3
SHRINKAGE = 0.01
DROPOUT = 0.3
# Share of a turn's pieces that is left out while training: words are misheard.
PIECES_LEFT_OUT = 0.15
SEED = 1
# Networks trained at a time, a core each.
PROCESSES = 2

states = {
    name: np.fromfile(os.path.join(BUILD, f"{name}-states.bin"), dtype="<f2").reshape(-1, size) for name, size in ENCODERS.items()
}
dialogues = json.load(open(os.path.join(BUILD, "dialogues.json")))


class Attended(nn.Module):
    """What each head attends to among the states of a turn's pieces, normalised: [turns, HEADS * size]."""

    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.size = ENCODERS[encoder]
        self.attention = nn.Linear(self.size, HEADS)
        self.norm = nn.LayerNorm(HEADS * self.size)

    def forward(self, turns):
        where = [t["states"][self.encoder] for t in turns]
        longest = max(pieces for _, pieces in where)
        padded = np.zeros((len(turns), longest, self.size), np.float32)
        real = torch.zeros(len(turns), longest, dtype=torch.bool)
        for row, (at, pieces) in enumerate(where):
            padded[row, :pieces] = states[self.encoder][at : at + pieces]
            real[row, :pieces] = torch.rand(pieces) >= (PIECES_LEFT_OUT if self.training else 0)
        x = torch.from_numpy(padded)
        share = self.attention(x).masked_fill(~real[..., None], -1e9).softmax(1)
        return self.norm((share.transpose(1, 2) @ x).reshape(len(turns), -1))


class Context(nn.Module):
    """What a turn attends to among those before it, or to nothing: [turns, WIDTH]."""

    def __init__(self):
        super().__init__()
        self.query = nn.Linear(WIDTH, WIDTH)
        self.key = nn.Linear(WIDTH, WIDTH)
        self.value = nn.Linear(WIDTH, WIDTH)
        # By how many turns earlier, of another speaker, then of the same one.
        self.key_places = nn.Parameter(torch.randn(2 * CONTEXT_TURNS, WIDTH) * 0.05)
        self.value_places = nn.Parameter(torch.randn(2 * CONTEXT_TURNS, WIDTH) * 0.05)

    def forward(self, v, speakers):
        count = len(v)
        place = torch.zeros(count, count, dtype=torch.long)
        heard = torch.zeros(count, count, dtype=torch.bool)
        for i in range(count):
            for j in range(max(0, i - CONTEXT_TURNS), i):
                place[i, j] = i - j - 1 + (CONTEXT_TURNS if speakers[i] == speakers[j] else 0)
                heard[i, j] = True
        size = WIDTH // CONTEXT_HEADS
        split = lambda x: x.view(*x.shape[:-1], CONTEXT_HEADS, size)
        query = split(self.query(v))
        key = split(self.key(v)[None] + self.key_places[place])
        value = split(self.value(v)[None] + self.value_places[place])
        match = ((query[:, None] * key).sum(-1) / size**0.5).masked_fill(~heard[..., None], -1e9)
        share = torch.cat([match, torch.zeros(count, 1, CONTEXT_HEADS)], 1).softmax(1)[:, :count]
        return (share[..., None] * value).sum(1).reshape(count, WIDTH)


class Network(nn.Module):
    """Of one hidden layer: log-odds at once, and by weights of their own in hindsight."""

    def __init__(self, outputs):
        super().__init__()
        self.hidden = nn.Linear(4 * WIDTH + FLAGS, UNITS)
        self.output = nn.Linear(UNITS, outputs)
        self.hidden_again = nn.Linear(5 * WIDTH + FLAGS + AFTER_FLAGS, UNITS)
        self.output_again = nn.Linear(UNITS, outputs)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, seen, after):
        outcome = lambda seen, hidden, output: output(self.dropout(F.relu(hidden(seen))))
        again = torch.cat([seen, after], 1)
        return outcome(seen, self.hidden, self.output), outcome(again, self.hidden_again, self.output_again)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.sentence = Attended("sentence")
        self.minilm = Attended("minilm")
        self.pooling = nn.Linear(HEADS * sum(ENCODERS.values()), WIDTH)
        self.context = Context()
        self.turns = Network(len(OUTPUTS))
        self.pairs = Network(len(ANSWERS))
        self.dropout = nn.Dropout(DROPOUT)

    def pool(self, turns):
        """[turns, WIDTH], -1..1."""
        return torch.tanh(self.pooling(self.dropout(torch.cat([self.sentence(turns), self.minilm(turns)], 1))))

    def forward(self, batch):
        """For each dialogue: log-odds [turns, OUTPUTS], pairs (turn, earlier turn), log-odds [pairs, ANSWERS]; both twice."""
        turns = [t for d in batch for t in d["turns"]]
        # Turns of like length together, so that little is padding.
        order = sorted(range(len(turns)), key=lambda i: turns[i]["states"]["minilm"][1])
        vectors = [None] * len(turns)
        for part in np.array_split(order, max(1, len(order) // 24)):
            for i, v in zip(part, self.pool([turns[i] for i in part])):
                vectors[i] = v
        z = torch.stack(vectors)
        at = 0
        for d in batch:
            count = len(d["turns"])
            v = z[at : at + count]
            at += count
            yield self.read(d["turns"], v)

    def read(self, turns, v):
        drop = self.dropout
        silent = torch.zeros(1, WIDTH)
        before = torch.cat([silent, v[:-1]])
        earlier = torch.cat([silent, silent, v[:-2]])[: len(turns)]
        after = torch.cat([drop(torch.cat([v[1:], silent])), torch.tensor([t["after"] for t in turns])], 1)
        now = drop(v)
        context = self.context(now, [t["speaker"] for t in turns])
        flags = torch.tensor([t["flags"] for t in turns], dtype=torch.float32)
        told = self.turns(torch.cat([now, drop(before), drop(earlier), drop(context), flags], 1), after)
        pairs = [(i, j) for i, t in enumerate(turns) for j, _ in t["answers"]]
        if not pairs:
            return told, pairs, (torch.zeros(0, len(ANSWERS)),) * 2
        i = torch.tensor([p[0] for p in pairs])
        j = torch.tensor([p[1] for p in pairs])
        flags = torch.tensor([f for t in turns for _, f in t["answers"]], dtype=torch.float32)
        seen = torch.cat([drop(v[i]), drop(v[j]), v[i] * v[j], before[i], flags], 1)
        return told, pairs, self.pairs(seen, after[i])


def loss_of(dialogue, told, pairs, answers):
    target = torch.zeros_like(told[0])
    weight = torch.ones_like(target)
    links = {}
    for i, t in enumerate(dialogue["turns"]):
        for m in t["moments"]:
            target[i, OUTPUTS.index(m["category"])] = 1
            if "answers" in m:
                links[i, m["answers"]] = ANSWERS.index(m["category"])
    if dialogue["exchange"]:
        # An exchange begins with an offer, and tells neither objections nor changes of subject.
        weight[:, [0, 1, 4]] = 0
    answered = torch.zeros_like(answers[0])
    for row, pair in enumerate(pairs):
        if pair in links:
            answered[row, links[pair]] = 1
    cost = lambda *of, **how: F.binary_cross_entropy_with_logits(*of, reduction="sum", **how)
    return sum(cost(logits, target, weight=weight) for logits in told) + sum(cost(logits, answered) for logits in answers)


def train(seen):
    random.seed(SEED)
    torch.manual_seed(SEED)
    reader = Reader()
    optimiser = torch.optim.AdamW(reader.parameters(), RATE, weight_decay=SHRINKAGE)
    seen = list(seen)
    steps = EPOCHS * -(-len(seen) // BATCH)
    step = 0
    for epoch in range(EPOCHS):
        began = time.time()
        total = 0.0
        random.shuffle(seen)
        reader.train()
        for at in range(0, len(seen), BATCH):
            batch = seen[at : at + BATCH]
            turns = sum(len(d["turns"]) for d in batch)
            loss = sum(loss_of(d, *read) for d, read in zip(batch, reader(batch))) / turns
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            # Up over the first tenth, level for a while, then down to nothing.
            rate = RATE * min(1, step / (0.1 * steps)) * min(1, 1.3 * (1 - step / steps))
            for group in optimiser.param_groups:
                group["lr"] = rate
            optimiser.step()
            step += 1
            total += float(loss) * turns
        turns = sum(len(d["turns"]) for d in seen)
        print(f"  epoch {epoch + 1}: loss {total / turns:.3f}, {time.time() - began:.0f} s", flush=True)
    return reader.eval()


def readings_of(reader, unseen):
    told = {}
    with torch.no_grad():
        for d in unseen:
            logits, pairs, answers = next(reader([d]))
            rounded = lambda rows: [[round(float(x), 3) for x in row] for row in rows]
            told[d["id"]] = {
                when: {"turns": rounded(turns), "pairs": {f"{i} {j}": row for (i, j), row in zip(pairs, rounded(answered))}}
                for when, turns, answered in zip(WHEN, logits, answers)
            }
    return told


def average_precision(scores, marks):
    marks = np.array(marks)[np.argsort(-np.array(scores))]
    precision = np.cumsum(marks) / np.arange(1, len(marks) + 1)
    return float((precision * marks).sum() / max(1, marks.sum()))


def best_f1(scores, marks):
    marks = np.array(marks)[np.argsort(-np.array(scores))]
    return float((2 * np.cumsum(marks) / (np.arange(1, len(marks) + 1) + marks.sum())).max())


def say_how_well(readings, when):
    """Average precision, and F1 at the threshold best for it, of turns and of pairs; exchanges apart."""
    print(f"{when}:")
    whole = [d for d in dialogues if d["id"] in readings and not d["exchange"]]
    best = []
    for k, name in enumerate(OUTPUTS):
        scores = [row[k] for d in whole for row in readings[d["id"]][when]["turns"]]
        marks = [float(any(m["category"] == name for m in t["moments"])) for d in whole for t in d["turns"]]
        best.append(best_f1(scores, marks))
        print(f"{name}: average precision {average_precision(scores, marks):.3f}, F1 {best[-1]:.3f} on {int(sum(marks))} unseen marks")
    for k, name in enumerate(ANSWERS):
        pairs = [(d, i, t, j) for d in whole for i, t in enumerate(d["turns"]) for j, _ in t["answers"]]
        scores = [readings[d["id"]][when]["pairs"][f"{i} {j}"][k] for d, i, _, j in pairs]
        marks = [float(any(m["category"] == name and m["answers"] == j for m in t["moments"])) for _, _, t, j in pairs]
        print(f"{name} with its offer: average precision {average_precision(scores, marks):.3f}, F1 {best_f1(scores, marks):.3f}")
    print(f"mean F1 of turns: {sum(best) / len(best):.4f}", flush=True)


def unseen_readings(fold):
    unseen = [d for d in dialogues if d["fold"] == fold]
    print(f"without fold {fold}: {len(unseen)} dialogues", flush=True)
    return readings_of(train(d for d in dialogues if d["fold"] != fold), unseen)


def write_weights():
    reader = train(dialogues)
    # Matrices of layers are turned: a row for each input.
    arrays = {
        n: v.detach().numpy().T if n.endswith(".weight") and v.ndim == 2 else v.detach().numpy()
        for n, v in reader.named_parameters()
    }
    with open(os.path.join(BUILD, "weights.bin"), "wb") as out:
        for value in arrays.values():
            out.write(np.ascontiguousarray(value, "<f4").tobytes())
    json.dump([{"name": n, "shape": v.shape} for n, v in arrays.items()], open(os.path.join(BUILD, "weights.json"), "w"))


if len(sys.argv) > 1:
    torch.set_num_threads(PROCESSES)
    unseen = unseen_readings(int(sys.argv[1]))
    for when in WHEN:
        say_how_well(unseen, when)
    sys.exit()

torch.set_num_threads(1)
with ProcessPoolExecutor(PROCESSES) as pool:
    written = pool.submit(write_weights)
    readings = {}
    for read in pool.map(unseen_readings, sorted({d["fold"] for d in dialogues})):
        readings |= read
    written.result()
json.dump(readings, open(os.path.join(BUILD, "readings.json"), "w"))
for when in WHEN:
    say_how_well(readings, when)
