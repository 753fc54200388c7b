package mondrian

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// better replaces groups by the regions that Mondrian made of the same keys if these lose less: groups and regions fall
// into the smallest sets that have the same keys, and each set keeps what loses less there. So groups never lose more
// than Mondrian does.
func (p *partition) better(ctx context.Context, sets *keySets, groups []*group, regions []region) ([]*group, error) {
	whole := make([]*group, len(regions))
	err := parallel.Each(ctx, len(regions), func(i int) error {
		parts := p.apart(regions[i].spans, p.keys[regions[i].from:regions[i].to])
		for _, part := range parts[1:] {
			p.join(parts[0], part)
		}
		whole[i] = parts[0]
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, g := range slices.Concat(groups, whole) {
		for _, key := range g.keys[1:] {
			if a, b := sets.of(g.keys[0]), sets.of(key); a != b {
				sets.in[b] = int(a) + 1
			}
		}
	}
	for _, g := range groups {
		sets.gain[sets.of(g.keys[0])] += g.lost
	}
	for _, g := range whole {
		sets.gain[sets.of(g.keys[0])] -= g.lost
	}
	const rounding = 1e-9
	groups = slices.DeleteFunc(groups, func(g *group) bool { return sets.gain[sets.of(g.keys[0])] > rounding })
	for _, g := range whole {
		if sets.gain[sets.of(g.keys[0])] > rounding {
			groups = append(groups, g)
		}
	}
	return groups, nil
}

// keySets are disjoint sets of keys.
type keySets struct {
	in   []int     // by key, from 1: another key of its set; 0: it stands for the set
	gain []float64 // of a set: what regions lose less than groups
}

// of returns the key that stands for the set of a key.
func (s *keySets) of(key uint32) uint32 {
	for s.in[key] > 0 {
		if above := s.in[s.in[key]-1]; above > 0 {
			s.in[key] = above
		}
		key = uint32(s.in[key] - 1)
	}
	return key
}
