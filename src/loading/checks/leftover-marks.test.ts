import { describe, expect, test } from '@jest/globals';
import { findMarks, markGroups } from './leftover-marks.ts';

const rows = markGroups.flatMap((group) => group.marks.map((mark) => ({ ...mark, group })));

describe('in a paragraph', () => {
  test.each(rows)('$name is found in «$example» and not in «$fine»', ({ example, fine, pattern, group }) => {
    expect([...example.matchAll(pattern)]).not.toEqual([]);
    expect(findMarks(example, 'paragraph')).toMatchObject([{ group: { remedy: group.remedy } }]);
    expect(findMarks(fine, 'paragraph')).toEqual([]);
  });
});
