package plan

import (
	"cmp"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Protection is a recode in one step that would protect a record.
type Protection struct {
	*Recode
	Frequency float64 // f of the record after the recode, under the rule of the assessment
}

// Protect returns recodes of one variable, each of which would end the violation of k by a record,
// the one that loses least first, and at most so many of a variable; none where the record does not
// violate k or no recode of one variable helps. Variables are removed only if no other recode helps.
//
// The data, the scenario's key variables and the assessment must belong together. It takes time in the
// number of distinct keys.
func Protect(data *microdata.Dataset, scenario *microdata.Scenario, now *risk.Assessment, k, record,
	most int) (all []Protection) {
	if !now.Violates(record, k) {
		return nil
	}
	p := newProtecting(now, now.Table().Key(record))
	for place, name := range scenario.Keys {
		column, ok := data.Column(name)
		if !ok || p.missing>>place&1 == 1 {
			continue
		}
		v, helping := newVariable(column), 0
		v.candidates()
		for _, r := range v.recodes[1:] {
			if len(r.Steps) > 1 || helping == most {
				continue
			}
			if f, protects := p.after(place, r, k); protects {
				all, helping = append(all, Protection{r, f}), helping+1
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Protection) int { return cmp.Compare(a.Lost, b.Lost) })
	if slices.ContainsFunc(all, func(p Protection) bool { return !p.Removes }) {
		all = slices.DeleteFunc(all, func(p Protection) bool { return p.Removes })
	}
	return all
}

// protecting counts what would agree with a key.
type protecting struct {
	options risk.Options
	table   *keys.Table
	key     uint32
	missing uint64             // variables that the key misses
	near    [][]keys.Neighbour // per variable: what agrees on all others
	shares  [][]float64        // per variable and code, for the rule category-size
}

// newProtecting looks for the neighbours of a key, in one walk over the distinct keys.
func newProtecting(now *risk.Assessment, key uint32) *protecting {
	t := now.Table()
	p := &protecting{options: now.Options(), table: t, key: key, missing: t.MissingIn(key),
		near: make([][]keys.Neighbour, t.Variables())}
	for other := range t.Neighbours(key) {
		for v := range p.near {
			if other.Against < 0 || other.Against == v {
				p.near[v] = append(p.near[v], other)
			}
		}
	}
	for v := 0; v < t.Variables() && p.options.Rule == microdata.RuleCategorySize; v++ {
		p.shares = append(p.shares, t.Shares(v))
	}
	return p
}

// agreement counts what agrees with the key when codes of a variable, its own
// among them, have become one.
func (p *protecting) agreement(variable int, group []uint32) (a keys.Agreement) {
	codes := p.table.Codes(variable)
	for _, other := range p.near[variable] {
		count := int(p.table.Counts()[other.Key])
		switch code := codes[other.Key]; {
		case code != 0 && !slices.Contains(group, code):
		case other.Missing == p.missing:
			a.Identical += count
		case other.Missing == 0:
			a.Complete += count
		default:
			a.Incomplete += count
			a.Weighed += p.weighed(float64(count), other.Missing&^p.missing, variable, group)
		}
	}
	return a
}

// weighed returns what records that miss variables count under the rule
// category-size: each by the shares of the categories that the key has there.
func (p *protecting) weighed(count float64, missing uint64, variable int, group []uint32) float64 {
	for j, shares := range p.shares {
		switch {
		case missing>>j&1 == 0:
		case j == variable:
			joint := 0.0
			for _, code := range group {
				joint += shares[code]
			}
			count *= joint
		default:
			count *= shares[p.table.Codes(j)[p.key]]
		}
	}
	return count
}

// after returns the frequency of the key after a recode, and whether that reaches k.
func (p *protecting) after(variable int, r *Recode, k int) (frequency float64, protects bool) {
	own, group := r.mapping[p.table.Codes(variable)[p.key]], []uint32(nil)
	for code, to := range r.mapping {
		if to == own {
			group = append(group, uint32(code))
		}
	}
	a := p.agreement(variable, group)
	frequencies := keys.Frequencies{Rule: p.options.Rule, Identical: []int{a.Identical},
		Sample: []float64{a.Frequency(p.options.Rule, p.options.Alpha, p.missing == 0)}}
	return frequencies.Sample[0], !frequencies.Violates(0, k)
}
