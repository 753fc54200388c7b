package mondrian

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// better replaces groups with Mondrian's regions where these lose less. It divides the keys into the smallest sets
// that are unions of both groups and regions, and keeps in each set whichever loses less. Groups therefore never
// lose more than Mondrian.
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

// keySets are disjoint sets of keys (union-find).
type keySets struct {
	in   []int     // parent in its set by key, plus 1; 0: root
	gain []float64 // by root: loss of the groups minus that of the regions
}

// of returns the root of the set of a key.
func (s *keySets) of(key uint32) uint32 {
	for s.in[key] > 0 {
		if above := s.in[s.in[key]-1]; above > 0 {
			s.in[key] = above
		}
		key = uint32(s.in[key] - 1)
	}
	return key
}
