"""Trains what reads key moments out of the encoder's states: the second step of `npm run train:moments`.

Attention pools the states of a turn's pieces into one vector of 128 numbers. A small network reads those of a turn, of
the two before it and what it attends to of the eight before it (what does the turn do?), another those of a turn and an
earlier one, with what was said around and between them (does it accept or reject what was said there?). Each says so
twice: at once, and in hindsight, when the turn after is known. All are trained together, so that the pooling learns what
the others need; and several such readers side by side, from other beginnings, whose log-odds are averaged
(Lakshminarayanan et al. 2017, arXiv:1612.01474). It is the one script of the project in Python: it needs automatic
differentiation, for which there is no library in JavaScript that is as quick on a processor. Debian's python3-torch is
enough.

Reads build/moments/states.bin and dialogues.json; writes there weights.bin and weights.json (32-bit floats, for
scripts/train/moments.ts) and readings.json: log-odds for every turn and pair, at once and in hindsight, by networks that
saw nothing of its fold. With the number of a fold it trains without that one only, says how well it reads it, and writes
nothing.
"""

import json
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor

# Where each core trains for itself, linear algebra stays on it; it must be told before it loads.
if len(sys.argv) == 1:
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

BUILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../build/moments")
# Readers side by side.
MEMBERS = 4
# Numbers in a state.
STATE = 512
HEADS = 8
WIDTH = 128
UNITS = 128
FLAGS = 6
AFTER_FLAGS = 3
# Turns attended to, and heads that attend to them.
CONTEXT_TURNS = 8
CONTEXT_HEADS = 4
OUTPUTS = ["objection", "cta_offered", "cta_accepted", "cta_rejected", "topic_shift"]
ANSWERS = ["cta_accepted", "cta_rejected"]
WHEN = ["at_once", "in_hindsight"]

EPOCHS = 7
BATCH = 8
RATE = 1e-3
SHRINKAGE = 0.01
DROPOUT = 0.3
# Share of a turn's pieces that is left out while training: words are misheard.
PIECES_LEFT_OUT = 0.15
SEED = 1
# Trainings at a time, a core each.
PROCESSES = 2
# Turns whose pieces are pooled at a time: those of like length together, so that little is padding.
POOLED_TURNS = 24

states = np.fromfile(os.path.join(BUILD, "states.bin"), dtype="<f2").reshape(-1, STATE)
dialogues = json.load(open(os.path.join(BUILD, "dialogues.json")))


def prepare(dialogue):
    """What the networks are told of a dialogue, and what they shall tell. Turns are named by their place; -1: none."""
    turns = dialogue["turns"]
    count = len(turns)
    back = torch.arange(count)[:, None] - torch.arange(1, CONTEXT_TURNS + 1)
    same = torch.tensor([[j >= 0 and turns[j]["speaker"] == t["speaker"] for j in row] for t, row in zip(turns, back.tolist())])
    pairs = [(i, j) for i, t in enumerate(turns) for j, _ in t["answers"]]
    where = {pair: row for row, pair in enumerate(pairs)}
    target = torch.zeros(count, len(OUTPUTS))
    answered = torch.zeros(len(pairs), len(ANSWERS))
    for i, t in enumerate(turns):
        for m in t["moments"]:
            target[i, OUTPUTS.index(m["category"])] = 1
            row = where.get((i, m.get("answers")))
            if row is not None:
                answered[row, ANSWERS.index(m["category"])] = 1
    weight = torch.ones(count, len(OUTPUTS))
    if dialogue["exchange"]:
        # An exchange begins with an offer, and tells neither objections nor changes of subject.
        weight[:, [0, 1, 4]] = 0
    return {
        "back": back.clamp(min=-1),
        "next": torch.tensor([*range(1, count), -1]),
        "places": torch.arange(CONTEXT_TURNS) + CONTEXT_TURNS * same,
        "pairs": torch.tensor(pairs, dtype=torch.long).view(-1, 2),
        "flags": torch.tensor([t["flags"] for t in turns], dtype=torch.float32),
        "after": torch.tensor([t["after"] for t in turns], dtype=torch.float32),
        "pair_flags": torch.tensor([f for t in turns for _, f in t["answers"]], dtype=torch.float32).view(-1, FLAGS),
        "target": target,
        "weight": weight,
        "answered": answered,
    }


def joined(batch):
    """Several dialogues as one: places count on from dialogue to dialogue, and what is none is the place after the last."""
    prepared = [d["prepared"] for d in batch]
    starts = np.cumsum([0] + [len(d["turns"]) for d in batch])
    places = lambda name: torch.cat([torch.where(p[name] < 0, starts[-1], p[name] + start) for p, start in zip(prepared, starts)])
    whole = {name: torch.cat([p[name] for p in prepared]) for name in prepared[0] if name not in ("back", "next", "pairs")}
    return {**whole, **{name: places(name) for name in ("back", "next", "pairs")}}


class Linear(nn.Module):
    """A layer of each member: [members or 1, rows, inputs] to [members, rows, outputs]."""

    def __init__(self, inputs, outputs):
        super().__init__()
        at_most = inputs**-0.5
        self.weight = nn.Parameter(torch.empty(MEMBERS, inputs, outputs).uniform_(-at_most, at_most))
        self.bias = nn.Parameter(torch.empty(MEMBERS, 1, outputs).uniform_(-at_most, at_most))

    def forward(self, x):
        return torch.baddbmm(self.bias, x.expand(MEMBERS, -1, -1), self.weight)


class Pooling(nn.Module):
    """A turn as each member sees it: [members, turns, WIDTH], -1..1."""

    def __init__(self):
        super().__init__()
        self.attention = Linear(STATE, HEADS)
        self.scale = nn.Parameter(torch.ones(MEMBERS, 1, HEADS * STATE))
        self.shift = nn.Parameter(torch.zeros(MEMBERS, 1, HEADS * STATE))
        self.layer = Linear(HEADS * STATE, WIDTH)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, turns):
        order = sorted(range(len(turns)), key=lambda i: turns[i]["states"][1])
        parts = np.array_split(order, max(1, len(order) // POOLED_TURNS))
        attended = torch.cat([self.attended([turns[i]["states"] for i in part]) for part in parts], 1)
        attended = attended[:, torch.from_numpy(np.argsort(order))]
        return torch.tanh(self.layer(self.dropout(F.layer_norm(attended, (HEADS * STATE,)) * self.scale + self.shift)))

    def attended(self, where):
        """What each head attends to among the states of a turn's pieces."""
        longest = max(pieces for _, pieces in where)
        padded = np.zeros((len(where), longest, STATE), np.float32)
        real = torch.zeros(len(where), longest, dtype=torch.bool)
        for row, (at, pieces) in enumerate(where):
            padded[row, :pieces] = states[at : at + pieces]
            real[row, :pieces] = torch.rand(pieces) >= (PIECES_LEFT_OUT if self.training else 0)
        x = torch.from_numpy(padded)
        match = self.attention(x.view(1, -1, STATE)).view(MEMBERS, len(where), longest, HEADS)
        share = match.masked_fill(~real[..., None], -1e9).softmax(2)
        return (share.transpose(2, 3) @ x).reshape(MEMBERS, len(where), -1)


class Context(nn.Module):
    """What a turn attends to among those before it, or to nothing: [members, turns, WIDTH]."""

    def __init__(self):
        super().__init__()
        self.query = Linear(WIDTH, WIDTH)
        self.key = Linear(WIDTH, WIDTH)
        self.value = Linear(WIDTH, WIDTH)
        # By how many turns earlier, of another speaker, then of the same one.
        self.key_places = nn.Parameter(torch.randn(MEMBERS, 2 * CONTEXT_TURNS, WIDTH) * 0.05)
        self.value_places = nn.Parameter(torch.randn(MEMBERS, 2 * CONTEXT_TURNS, WIDTH) * 0.05)

    def forward(self, v, back, places):
        count = v.shape[1]
        heads = lambda x: x.view(*x.shape[:-1], CONTEXT_HEADS, -1)
        heard = F.pad(v, (0, 0, 0, 1))
        query = heads(self.query(v))[:, :, None]
        key = heads(self.key(heard)[:, back] + self.key_places[:, places])
        value = heads(self.value(heard)[:, back] + self.value_places[:, places])
        match = (query * key).sum(-1) / query.shape[-1] ** 0.5
        match = match.masked_fill((back == count)[..., None], -1e9)
        share = F.pad(match, (0, 0, 0, 1)).softmax(2)[:, :, :-1]
        return (share[..., None] * value).sum(2).reshape(MEMBERS, count, WIDTH)


class Network(nn.Module):
    """Of one hidden layer: log-odds at once, and by weights of their own in hindsight."""

    def __init__(self, vectors, outputs):
        super().__init__()
        self.hidden = Linear(vectors * WIDTH + FLAGS, UNITS)
        self.output = Linear(UNITS, outputs)
        self.hidden_again = Linear((vectors + 1) * WIDTH + FLAGS + AFTER_FLAGS, UNITS)
        self.output_again = Linear(UNITS, outputs)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, seen, after):
        outcome = lambda seen, hidden, output: output(self.dropout(F.relu(hidden(seen))))
        again = torch.cat([seen, after], 2)
        return outcome(seen, self.hidden, self.output), outcome(again, self.hidden_again, self.output_again)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.pooling = Pooling()
        self.context = Context()
        self.turns = Network(4, len(OUTPUTS))
        self.pairs = Network(9, len(ANSWERS))
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, turns, told):
        """Log-odds [members, turns, OUTPUTS], then [members, pairs, ANSWERS]; both at once and in hindsight."""
        drop = self.dropout
        v = self.pooling(turns)
        # What is none is silent.
        heard = F.pad(v, (0, 0, 0, 1))
        everyone = lambda flags: flags.expand(MEMBERS, -1, -1)
        before, earlier = heard[:, told["back"][:, 0]], heard[:, told["back"][:, 1]]
        after = torch.cat([drop(heard[:, told["next"]]), everyone(told["after"])], 2)
        now = drop(v)
        context = self.context(now, told["back"], told["places"])
        of_turns = self.turns(
            torch.cat([now, drop(before), drop(earlier), drop(context), everyone(told["flags"])], 2), after
        )
        i, j = told["pairs"].T
        # What was said between the two: its last turn is beside the answer, its first one beside the offer.
        sums = F.pad(v.cumsum(1), (0, 0, 1, 0))
        number = (i - j - 1)[:, None]
        between = (sums[:, i] - sums[:, j + 1]) / number.clamp(min=1)
        first = heard[:, j + 1] * (number > 0)
        seen = [drop(v[:, i]), drop(v[:, j]), v[:, i] * v[:, j], before[:, i], drop(context[:, i]), drop(context[:, j])]
        seen += [drop(before[:, j]), drop(first), drop(between), everyone(told["pair_flags"])]
        return of_turns, self.pairs(torch.cat(seen, 2), after[:, i])


def loss_of(told, of_turns, of_pairs):
    """Summed over members, a turn."""
    cost = lambda logits, target, weight=None: F.binary_cross_entropy_with_logits(
        logits, target.expand_as(logits), weight=weight, reduction="sum"
    )
    turns = sum(cost(logits, told["target"], told["weight"]) for logits in of_turns)
    return (turns + sum(cost(logits, told["answered"]) for logits in of_pairs)) / len(told["target"])


def train(seen):
    random.seed(SEED)
    torch.manual_seed(SEED)
    reader = Reader().train()
    optimiser = torch.optim.AdamW(reader.parameters(), RATE, weight_decay=SHRINKAGE)
    seen = list(seen)
    steps = EPOCHS * -(-len(seen) // BATCH)
    step = 0
    for epoch in range(EPOCHS):
        began = time.time()
        total = 0.0
        random.shuffle(seen)
        for at in range(0, len(seen), BATCH):
            batch = seen[at : at + BATCH]
            told = joined(batch)
            loss = loss_of(told, *reader([t for d in batch for t in d["turns"]], told))
            optimiser.zero_grad()
            loss.backward()
            clip(reader)
            # Up over the first tenth, level for a while, then down to nothing.
            rate = RATE * min(1, step / (0.1 * steps)) * min(1, 1.3 * (1 - step / steps))
            for group in optimiser.param_groups:
                group["lr"] = rate
            optimiser.step()
            step += 1
            total += float(loss.detach()) / MEMBERS * len(told["target"])
        turns = sum(len(d["turns"]) for d in seen)
        print(f"  epoch {epoch + 1}: loss {total / turns:.3f}, {time.time() - began:.0f} s", flush=True)
    return reader.eval()


def clip(reader):
    """Shortens each member's gradient to 1."""
    length = sum(p.grad.flatten(1).square().sum(1) for p in reader.parameters()).sqrt()
    share = (1 / length).clamp(max=1)
    for p in reader.parameters():
        p.grad.mul_(share.view(-1, *[1] * (p.dim() - 1)))


def readings_of(reader, unseen):
    read = {}
    with torch.no_grad():
        for d in unseen:
            of_turns, of_pairs = reader(d["turns"], joined([d]))
            rounded = lambda logits: [[round(float(x), 3) for x in row] for row in logits.mean(0)]
            pairs = [f"{i} {j}" for i, j in d["prepared"]["pairs"].tolist()]
            read[d["id"]] = {
                when: {"turns": rounded(turns), "pairs": dict(zip(pairs, rounded(answers)))}
                for when, turns, answers in zip(WHEN, of_turns, of_pairs)
            }
    return read


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
    arrays = {n: v.detach().numpy() for n, v in train(dialogues).named_parameters()}
    with open(os.path.join(BUILD, "weights.bin"), "wb") as out:
        for value in arrays.values():
            out.write(np.ascontiguousarray(value, "<f4").tobytes())
    json.dump([{"name": n, "shape": v.shape} for n, v in arrays.items()], open(os.path.join(BUILD, "weights.json"), "w"))


for dialogue in dialogues:
    dialogue["prepared"] = prepare(dialogue)

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
