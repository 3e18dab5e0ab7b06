# cython: language_level=3
"""The code of each byte: Huffman (1952), from the counts alone, so that no code has to be stored."""

import heapq

import numpy as np


def huffman_tree(counts):
    """The tree of a Huffman code: int64 [nodes, 3], the first node is the root.

    counts: how often each of the 256 bytes occurs. Columns: the child for 0, the child for 1, and how many symbols
    pass the node. Children are numbers of nodes; ~byte stands for a byte, where a code ends. No node if fewer than two
    bytes occur. Of equal counts, the lower byte or the older node comes first, so equal counts give equal trees.
    """
    heap = [(int(count), byte, ~byte) for byte, count in enumerate(counts) if count]
    heapq.heapify(heap)
    nodes = []
    while len(heap) > 1:
        low, high = heapq.heappop(heap), heapq.heappop(heap)
        nodes.append((low[2], high[2], low[0] + high[0]))
        heapq.heappush(heap, (low[0] + high[0], 255 + len(nodes), len(nodes) - 1))
    # The root was made last.
    last = len(nodes) - 1
    turned = [(left if left < 0 else last - left, right if right < 0 else last - right, size)
              for left, right, size in reversed(nodes)]
    return np.array(turned, dtype=np.int64).reshape(-1, 3)
