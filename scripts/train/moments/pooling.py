"""Fits the pooling of the sentence encoder's states: the second step of `npm run train -- moment-pooling`, after states.ts.

Needs Python 3 with numpy and torch (Debian: python3-torch), which nothing that runs needs.

Each of four readers has eight attention heads over the states of a turn's pieces, one tanh layer over what they attend
to, and a network over the outputs for the turn and its neighbours that says its categories. Only the heads and the tanh
layer are kept. They are fitted to written dialogues, so that the folds of fit.py have not been seen. Writes
build/moments/pooling.bin, float32 arrays one after the other, and pooling.json, which says what they are.
"""
import json
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

BUILD = Path(__file__).resolve().parents[3] / 'build/moments'
MEMBERS = 4
SIZE = 512
HEADS = 8
WIDTH = 128
STATE = 64
EPOCHS = 5
# Dialogues in a batch.
BATCH = 8
RATE = 1e-3
DECAY = 1e-2
DROPOUT = 0.3
# Fraction of a turn's pieces that is left out in training, because words are misheard.
LEFT_OUT = 0.15
EPSILON = 1e-5

inputs = json.loads((BUILD / 'pooling-inputs.json').read_text())
CATEGORIES = inputs['categories']
states = np.memmap(BUILD / 'states.bin', '<f2', 'r').reshape(-1, SIZE)


class Pooling(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.Linear(SIZE, HEADS)
        self.norm = nn.LayerNorm(HEADS * SIZE, EPSILON)
        self.layer = nn.Linear(HEADS * SIZE, WIDTH)
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, turns):
        longest = max(t['states'][1] for t in turns)
        padded = np.zeros((len(turns), longest, SIZE), np.float32)
        real = torch.zeros(len(turns), longest, dtype=torch.bool)
        for row, turn in enumerate(turns):
            first, rows = turn['states']
            padded[row, :rows] = states[first : first + rows]
            real[row, :rows] = torch.rand(rows) >= (LEFT_OUT if self.training else 0)
        real[~real.any(1), 0] = True
        x = torch.from_numpy(padded)
        shares = self.attention(x).masked_fill(~real[:, :, None], -1e9).softmax(1)
        attended = torch.einsum('tph,tpi->thi', shares, x).flatten(1)
        return torch.tanh(self.layer(self.drop(self.norm(attended))))


class Reader(nn.Module):
    def __init__(self, facts, window):
        super().__init__()
        self.pooling = Pooling()
        self.turn = nn.Linear(WIDTH + facts, STATE)
        self.window = nn.Linear(4 * STATE + window, STATE)
        self.output = nn.Linear(2 * STATE, len(CATEGORIES))
        nn.init.constant_(self.output.bias, -2.5)
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, batch):
        turns = [t for dialogue in batch for t in dialogue]
        facts = torch.tensor([t['facts'] for t in turns], dtype=torch.float32)
        state = self.drop(torch.relu(self.turn(torch.cat([self.pooling(turns), facts], 1))))
        with_none = torch.cat([state, torch.zeros(1, STATE)])
        near, start = [], 0
        for dialogue in batch:
            n = len(dialogue)
            at = np.arange(n)
            own = np.stack([at - 1, at - 2, np.where(at + 1 < n, at + 1, -1)], 1)
            near.append(np.where(own < 0, len(turns), own + start))
            start += n
        near = with_none[torch.from_numpy(np.concatenate(near))].flatten(1)
        window = torch.tensor([t['window'] for t in turns], dtype=torch.float32)
        hidden = self.drop(torch.relu(self.window(torch.cat([state, near, window], 1))))
        return self.output(torch.cat([hidden, state], 1))


def fit(dialogues, seed):
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    reader = Reader(len(dialogues[0][0]['facts']), len(dialogues[0][0]['window']))
    optimiser = torch.optim.AdamW(reader.parameters(), lr=RATE, weight_decay=DECAY)
    steps = EPOCHS * -(-len(dialogues) // BATCH)
    falling = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: 1 - step / steps)
    for epoch in range(EPOCHS):
        order, total = rng.permutation(len(dialogues)), 0
        for at in range(0, len(order), BATCH):
            batch = [dialogues[i] for i in order[at : at + BATCH]]
            gold = torch.tensor([[float(c in t['moments']) for c in CATEGORIES] for d in batch for t in d])
            loss = F.binary_cross_entropy_with_logits(reader(batch), gold)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            falling.step()
            total += loss.item() * len(batch)
        print(f'member {seed}, epoch {epoch}: loss {total / len(order):.4f}', flush=True)
    return reader.pooling.eval()


def main():
    arrays = {}
    for member in range(MEMBERS):
        p = fit(inputs['dialogues'], member)
        arrays |= {
            f'{member}.attention': p.attention.weight.T,
            f'{member}.attentionBias': p.attention.bias,
            f'{member}.scale': p.norm.weight,
            f'{member}.shift': p.norm.bias,
            f'{member}.layer': p.layer.weight.T,
            f'{member}.layerBias': p.layer.bias,
        }
    flat = {name: np.ascontiguousarray(a.detach().numpy(), np.float32) for name, a in arrays.items()}
    (BUILD / 'pooling.bin').write_bytes(b''.join(a.tobytes() for a in flat.values()))
    (BUILD / 'pooling.json').write_text(json.dumps({name: list(a.shape) for name, a in flat.items()}))


if __name__ == '__main__':
    main()
