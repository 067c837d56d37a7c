"""Fits the network of key moments: the second step of `npm run train -- moments`, after inputs.ts.

Needs Python 3 with numpy and torch (Debian: python3-torch), which nothing that runs needs.

The real dialogues are read in folds, each by a network fitted without its conversations: by what it says of them the
log-odds of every category are calibrated (Platt 1999) and its threshold is chosen. Then one network is fitted to all.
Writes build/moments/network.bin, float32 arrays one after the other, and network.json, which says what they are.
`--folds` stops after the folds.
"""
import json
import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

BUILD = Path(__file__).resolve().parents[3] / 'build/moments'
FOLDS = 5
# With 128, the folds score better, but other kinds of dialogue, which are used only for scoring, score worse.
STATE = 64
HIDDEN = 64
EPOCHS = 4
BATCH = 16
RATE = 2e-3
# Precision from which a confidence counts as sure (src/conversation/outcomes.ts).
SURE = 0.75
# Number of networks whose log-odds are averaged.
SEEDS = 3
DECAY = 1e-2
DROPOUT = 0.3
# Weight of a turn of a real dialogue relative to a turn written for the project, and of a mark made by only one of two
# readers.
REAL = 4
UNSURE = 0.5
# Fraction of turns that lose their encoding in training, because the network must also work without the encoder.
SILENT = 0.25
# Lowest precision in the folds. The folds consist largely of negotiations. Other conversations contain fewer moments of
# every kind, so precision will be lower there.
PRECISE = {'cta_offered': 0.76, 'cta_accepted': 0.6, 'cta_rejected': 0.55, 'objection': 0.55, 'topic_shift': 0.4}

# The matrices are small, so more threads would only wait for each other.
torch.set_num_threads(1)
inputs = json.loads((BUILD / 'inputs.json').read_text())
OUTPUTS, CATEGORIES, BUCKETS = inputs['outputs'], inputs['categories'], inputs['buckets']
encodings = np.fromfile(BUILD / 'encodings.bin', np.float32).reshape(-1, inputs['dimensions'])
silence = torch.zeros(1, STATE)


class Dialogue:
    """A dialogue as arrays with one row for each turn."""

    def __init__(self, told):
        turns = told['turns']
        n = len(turns)
        self.fold, self.real = told['fold'], told['real']
        self.encoding = encodings[[t['encoding'] for t in turns]]
        self.facts = np.array([t['facts'] for t in turns], np.float32)
        self.window = np.array([t['window'] for t in turns], np.float32)
        self.runs = [np.array(t['runs'], np.int64) for t in turns]
        # The previous turn, the one before it, and the next. -1 for none.
        at = np.arange(n)
        self.near = np.stack([at - 1, np.where(at > 1, at - 2, -1), np.where(at + 1 < n, at + 1, -1)], 1)
        self.gold = np.zeros((n, len(OUTPUTS)), np.float32)
        self.unsure = np.zeros((n, CATEGORIES), bool)
        self.weight = np.zeros((n, len(OUTPUTS)), np.float32)
        self.weight[:, :CATEGORIES] = REAL if self.real else 1
        for i, turn in enumerate(turns):
            for m in turn['moments']:
                k = OUTPUTS.index(m['category'])
                self.gold[i, k] = 1
                if not m.get('sure', True):
                    self.unsure[i, k] = True
                    self.weight[i, k] *= UNSURE
                if m['category'] == 'objection' and m.get('labels'):
                    self.weight[i, CATEGORIES:] = REAL if self.real else 1
                    for label in m['labels']:
                        self.gold[i, OUTPUTS.index(label)] = 1


class Network(nn.Module):
    def __init__(self, facts, window):
        super().__init__()
        self.runs = nn.EmbeddingBag(BUCKETS, STATE, mode='sum')
        nn.init.normal_(self.runs.weight, 0, 0.02)
        self.turn = nn.Linear(encodings.shape[1] + facts, STATE)
        self.window = nn.Linear(4 * STATE + window, HIDDEN)
        self.output = nn.Linear(HIDDEN + STATE, len(OUTPUTS))
        nn.init.constant_(self.output.bias, -2.5)
        self.drop = nn.Dropout(DROPOUT)
        self.drop_input = nn.Dropout(0.1)

    def forward(self, said, window, near, runs, starts, shares):
        state = self.drop(torch.relu(self.turn(self.drop_input(said)) + self.runs(runs, starts, per_sample_weights=shares)))
        around = torch.cat([state, silence])[near].flatten(1)
        hidden = torch.relu(self.window(torch.cat([state, around, window], 1)))
        return self.output(torch.cat([self.drop(hidden), state], 1))


def batch(dialogues, rng=None):
    """@param rng drops encodings at random, as if the encoder had not loaded"""
    said = np.concatenate([np.concatenate([d.encoding, d.facts], 1) for d in dialogues])
    window = np.concatenate([d.window for d in dialogues])
    if rng is not None:
        at = 0
        for d in dialogues:
            n = len(d.runs)
            if rng.random() < SILENT:
                said[at : at + n, : encodings.shape[1]] = 0
                said[at : at + n, -1] = 0
                window[at : at + n, 6:] = 0
            at += n
    total, at, near = sum(len(d.runs) for d in dialogues), 0, []
    for d in dialogues:
        near.append(np.where(d.near < 0, total, d.near + at))
        at += len(d.runs)
    runs = [r for d in dialogues for r in d.runs]
    sizes = np.array([len(r) for r in runs])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    shares = np.repeat(1 / np.sqrt(sizes), sizes).astype(np.float32)
    return [torch.from_numpy(x) for x in (said, window, np.concatenate(near), np.concatenate(runs), starts, shares)]


def fit(dialogues, seed=0):
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network = Network(dialogues[0].facts.shape[1], dialogues[0].window.shape[1])
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    steps = EPOCHS * -(-len(dialogues) // BATCH)
    falling = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: 1 - step / steps)
    loss_of = nn.BCEWithLogitsLoss(reduction='none')
    network.train()
    for _ in range(EPOCHS):
        order = rng.permutation(len(dialogues))
        for at in range(0, len(order), BATCH):
            some = [dialogues[i] for i in order[at : at + BATCH]]
            gold = torch.from_numpy(np.concatenate([d.gold for d in some]))
            weight = torch.from_numpy(np.concatenate([d.weight for d in some]))
            loss = (loss_of(network(*batch(some, rng)), gold) * weight).sum() / len(gold) / 2
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            falling.step()
    return network.eval()


def read(network, dialogues):
    with torch.no_grad():
        return np.concatenate([network(*batch([d])).numpy() for d in dialogues])


def calibrate(scores, gold):
    """@returns the slope and offset that calibrate the log-odds of unseen turns"""
    slope, offset = torch.ones(1, requires_grad=True), torch.zeros(1, requires_grad=True)
    s, y = torch.from_numpy(scores), torch.from_numpy(gold)
    optimiser = torch.optim.LBFGS([slope, offset], max_iter=100)

    def step():
        optimiser.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(slope * s + offset, y)
        loss.backward()
        return loss

    optimiser.step(step)
    return slope.item(), offset.item()


def operating_point(category, scores, gold, unsure):
    """The log-odds with the best F1 at the required precision. Marks by only one reader do not count as missed."""
    order = np.argsort(-scores)
    y, sure = gold[order], (gold * ~unsure)[order]
    tp, fp = np.cumsum(y), np.cumsum(1 - y)
    fn = sure.sum() - np.cumsum(sure)
    f1, precision = 2 * tp / np.maximum(1, 2 * tp + fp + fn), tp / (tp + fp)
    best = int(np.argmax(np.where(precision >= PRECISE[category], f1, 0)))
    return scores[order][best], f1[best], precision[best], tp[best] / (tp[best] + fn[best])


def merged(networks):
    """Combines networks into one as wide as all of them, whose log-odds are the mean of theirs."""
    states = [{name: value.detach().numpy() for name, value in n.named_parameters()} for n in networks]
    n, width = len(states), len(states) * STATE
    facts = states[0]['window.weight'].shape[1] - 4 * STATE
    window = np.zeros((4 * width + facts, n * HIDDEN), np.float32)
    for i, state in enumerate(states):
        own, columns = state['window.weight'].T, slice(i * HIDDEN, (i + 1) * HIDDEN)
        for near in range(4):
            row = near * width + i * STATE
            window[row : row + STATE, columns] = own[near * STATE : (near + 1) * STATE]
        window[4 * width :, columns] = own[4 * STATE :]
    outputs = [state['output.weight'].T / n for state in states]
    return {
        'runs': np.concatenate([state['runs.weight'] for state in states], 1),
        'turn.weight': np.concatenate([state['turn.weight'].T for state in states], 1),
        'turn.bias': np.concatenate([state['turn.bias'] for state in states]),
        'window.weight': window,
        'window.bias': np.concatenate([state['window.bias'] for state in states]),
        'output.weight': np.concatenate([o[:HIDDEN] for o in outputs] + [o[HIDDEN:] for o in outputs]),
        'output.bias': np.mean([state['output.bias'] for state in states], 0),
    }


def main():
    dialogues = [Dialogue(d) for d in inputs['dialogues']]
    real = [d for d in dialogues if d.real]
    unseen, judged = [], []
    for fold in range(FOLDS):
        started = time.time()
        inside = [d for d in real if d.fold == fold]
        outside = [d for d in dialogues if d.fold != fold]
        unseen.append(np.mean([read(fit(outside, seed), inside) for seed in range(SEEDS)], 0))
        judged += inside
        print(f'fold {fold}: {time.time() - started:.0f} s', flush=True)
    scores = np.concatenate(unseen)
    gold = np.concatenate([d.gold for d in judged])
    unsure = np.concatenate([d.unsure for d in judged])
    np.savez(BUILD / 'unseen.npz', scores=scores, gold=gold, unsure=unsure)
    slopes, offsets, thresholds, all_f1 = np.ones(len(OUTPUTS), np.float32), np.zeros(len(OUTPUTS), np.float32), {}, []
    for k, category in enumerate(OUTPUTS[:CATEGORIES]):
        slopes[k], offsets[k] = calibrate(scores[:, k], gold[:, k])
        log_odds, f1, precision, recall = operating_point(category, scores[:, k], gold[:, k], unsure[:, k])
        thresholds[category] = round(float(1 / (1 + np.exp(-(slopes[k] * log_odds + offsets[k])))), 4)
        all_f1.append(f1)
        chances = 1 / (1 + np.exp(-(slopes[k] * scores[:, k] + offsets[k])))
        floors = [c for c in np.arange(0.3, 0.95, 0.05) if gold[chances >= c, k].mean() >= SURE]
        print(f'{category}: at least {SURE:.0%} right from {floors[0]:.2f} on' if floors else f'{category}: never sure')
        print(f'{category}: F1 {f1:.3f}, P {precision:.2f}, R {recall:.2f}, told from {thresholds[category]}')
    print(f'macro-F1 over {len(judged)} real dialogues, each unseen: {np.mean(all_f1):.3f}')
    if '--folds' in sys.argv:
        return
    networks = [fit(dialogues, seed) for seed in range(SEEDS)]
    arrays = merged(networks)
    arrays['output.weight'] = arrays['output.weight'] * slopes
    arrays['output.bias'] = arrays['output.bias'] * slopes + offsets
    (BUILD / 'network.bin').write_bytes(b''.join(np.ascontiguousarray(a, np.float32).tobytes() for a in arrays.values()))
    lengths = {name: int(a.size) for name, a in arrays.items()}
    (BUILD / 'network.json').write_text(json.dumps({'lengths': lengths, 'thresholds': thresholds}))


if __name__ == "__main__":
    main()
