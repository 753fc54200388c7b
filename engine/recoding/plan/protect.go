package plan

import (
	"cmp"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Protection is a one-step recode that would protect a record.
type Protection struct {
	*Recode
	Frequency float64 // frequency of the record after the recode, under the rule of the assessment
}

// Protect returns recodes of one variable, each of which would end a record's violation of k, in ascending order
// of loss and with a limit per variable. It returns none if the record does not violate k-anonymity or no recode of
// one variable is sufficient. It suggests removing variables only if no other recode is sufficient.
//
// The data, the scenario's key variables and the assessment must belong together. The time is proportional to the
// number of key patterns.
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

// agreementCounter counts the records that would agree with a key pattern.
type agreementCounter struct {
	options risk.Options
	table   *keys.Table
	key     uint32
	missing uint64             // variables that are missing in the key pattern
	near    [][]keys.Neighbour // per variable: key patterns that agree on all others
	shares  [][]float64        // per variable and code: share of records, for the rule category-size
}

// newProtecting finds the neighbours of a key pattern in one pass over the key patterns.
func newProtecting(now *risk.Assessment, key uint32) *agreementCounter {
	t := now.Table()
	p := &agreementCounter{options: now.Options(), table: t, key: key, missing: t.MissingIn(key),
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

// agreement counts the records that agree with the key pattern if codes of a variable, including its own, are
// merged.
func (p *agreementCounter) agreement(variable int, group []uint32) (a keys.Agreement) {
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

// weighed returns the contribution of records with missing variables under the rule category-size: their number
// times the shares of the key pattern's categories.
func (p *agreementCounter) weighed(count float64, missing uint64, variable int, group []uint32) float64 {
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

// after returns the frequency of the key pattern after a recode, and whether it reaches k.
func (p *agreementCounter) after(variable int, r *Recode, k int) (frequency float64, protects bool) {
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
