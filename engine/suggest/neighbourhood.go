package suggest

import (
	"context"
	"math/bits"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// agreement counts the records that agree with a key on all variables but one,
// by how they do.
type agreement struct {
	identical  int     // the same values and the same missing ones
	complete   int     // compatible, without missing values, others than the identical
	incomplete int     // compatible, with missing values, others than the identical
	weighed    float64 // the incomplete ones, each by the shares that the rule category-size gives it
}

func (a *agreement) add(b agreement) {
	a.identical += b.identical
	a.complete += b.complete
	a.incomplete += b.incomplete
	a.weighed += b.weighed
}

// neighbourhood is what agrees with a key on all variables but one, by the code
// of that variable. It tells the frequency of the key when codes have joined its
// own without a look at the table.
type neighbourhood struct {
	options  risk.Options
	complete bool // the key has no missing value
	byCode   []agreement
	share    []float64 // of the records of the file, by code
	sum      agreement // of the codes that were added
	shares   float64
}

// neighbourhoods returns those of a key on every variable, in one walk over the
// distinct keys.
func neighbourhoods(now *risk.Assessment, own uint32) []*neighbourhood {
	t, o := now.Table(), now.Options()
	w := &walk{table: t, own: own, missing: t.MissingIn(own), shares: make([][]float64, t.Variables())}
	all := make([]*neighbourhood, t.Variables())
	for v := range all {
		if o.Rule == microdata.RuleCategorySize {
			w.shares[v] = t.Shares(v)
		}
		all[v] = &neighbourhood{options: o, complete: w.missing == 0, byCode: make([]agreement, t.Levels(v)+1), share: w.shares[v]}
	}
	// The table has its patterns for the assessment: nothing to wait for, no error.
	_ = t.Neighbours(context.Background(), own, func(near keys.Neighbour) {
		for v, n := range all {
			if near.Against < 0 || near.Against == v {
				n.byCode[t.Codes(v)[near.Key]].add(w.agreement(near, v))
			}
		}
	})
	for _, n := range all {
		missing := &n.byCode[0] // what misses the variable is compatible, not identical
		missing.incomplete += missing.identical
		missing.identical = 0
	}
	return all
}

func (n *neighbourhood) clear() { n.sum, n.shares = agreement{}, 0 }

// add lets a code join the key's own.
func (n *neighbourhood) add(code uint32) {
	n.sum.add(n.byCode[code])
	if n.share != nil {
		n.shares += n.share[code]
	}
}

// frequency returns f of the key under the rule of the assessment.
func (n *neighbourhood) frequency() float64 {
	identical, missing := float64(n.sum.identical), n.byCode[0]
	compatible, incomplete := float64(n.sum.complete), float64(n.sum.incomplete+missing.incomplete)
	switch rule := n.options.Rule; {
	case rule == microdata.RuleOwnCategory, rule == microdata.RuleConservative2 && n.complete:
		return identical
	case rule == microdata.RuleConservative:
		return identical + compatible
	case rule == microdata.RuleDefault:
		return identical + compatible + float64(n.options.Alpha*incomplete)
	case rule == microdata.RuleCategorySize && n.complete:
		return identical + n.sum.weighed + float64(missing.weighed*n.shares)
	default:
		return identical + compatible + incomplete
	}
}

// violates reports whether the key violates k; see keys.Frequencies.
func (n *neighbourhood) violates(k int) bool {
	if n.options.Rule == microdata.RuleConservative2 {
		return n.sum.identical < k
	}
	return n.frequency() < float64(k)-keys.Tolerance
}

// walk compares a key with its neighbours.
type walk struct {
	table   *keys.Table
	own     uint32
	missing uint64      // variables that the key misses
	shares  [][]float64 // per variable and code, for the rule category-size
}

// agreement returns how the records of a neighbour agree on all variables but one.
func (w *walk) agreement(near keys.Neighbour, variable int) (a agreement) {
	count := int(w.table.Counts()[near.Key])
	others := ^uint64(0) &^ (1 << variable)
	switch {
	case (near.Missing^w.missing)&others == 0:
		a.identical = count
		if near.Missing>>variable&1 == 1 {
			a.weighed = float64(count)
		}
	case near.Missing == 0:
		a.complete = count
	default:
		a.incomplete, a.weighed = count, float64(count)
		for rest := near.Missing &^ w.missing & others; rest != 0; rest &= rest - 1 {
			if j := bits.TrailingZeros64(rest); w.shares[j] != nil {
				a.weighed *= w.shares[j][w.table.Codes(j)[w.own]]
			}
		}
	}
	return a
}
