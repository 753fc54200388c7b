package suggest

import (
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

// newNeighbourhood walks over the distinct keys once.
func newNeighbourhood(now *risk.Assessment, variable, own int) *neighbourhood {
	t := now.Table()
	w := newWalk(t, variable, own, now.Options().Rule == microdata.RuleCategorySize)
	n := &neighbourhood{options: now.Options(), complete: w.complete,
		byCode: make([]agreement, t.Levels(variable)+1), share: w.shares[variable]} // no shares but for category-size
	for key, count := range t.Counts() {
		if a, ok := w.agreement(key, int(count)); ok {
			n.byCode[w.codes[variable][key]].add(a)
		}
	}
	missing := &n.byCode[0] // who misses the variable is compatible, not identical
	missing.incomplete += missing.identical
	missing.identical = 0
	return n
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
	return n.frequency() < float64(k)-1e-9
}

// walk compares a key with all others on all variables but one.
type walk struct {
	variable int
	complete bool
	codes    [][]uint32
	mine     []uint32
	shares   [][]float64 // per variable and code, for the rule category-size; missing has none
}

func newWalk(t *keys.Table, variable, own int, weighs bool) *walk {
	w := &walk{variable: variable, complete: true, codes: make([][]uint32, t.Variables()), mine: make([]uint32, t.Variables()),
		shares: make([][]float64, t.Variables())}
	for j := range w.codes {
		w.codes[j] = t.Codes(j)
		w.mine[j] = w.codes[j][own]
		w.complete = w.complete && w.mine[j] != 0
		if weighs {
			w.shares[j] = sharesOf(t, j)
		}
	}
	return w
}

// sharesOf returns the share of each code of a variable in all records.
func sharesOf(t *keys.Table, variable int) []float64 {
	shares := make([]float64, t.Levels(variable)+1)
	counts := make([]int, len(shares))
	for key, code := range t.Codes(variable) {
		counts[code] += int(t.Counts()[key])
	}
	for code, count := range counts {
		shares[code] = float64(count) / float64(t.Records())
	}
	return shares
}

// agreement returns how the records of a key agree; ok is false where another
// variable contradicts.
func (w *walk) agreement(key, count int) (a agreement, ok bool) {
	identical, complete, weight := true, true, float64(count)
	for j, mine := range w.mine {
		code := w.codes[j][key]
		complete = complete && code != 0
		if j == w.variable || code == mine {
			continue
		}
		if code != 0 && mine != 0 {
			return a, false
		}
		identical = false
		if code == 0 && w.shares[j] != nil {
			weight *= w.shares[j][mine]
		}
	}
	switch {
	case identical:
		a.identical = count
		if w.codes[w.variable][key] == 0 {
			a.weighed = weight
		}
	case complete:
		a.complete = count
	default:
		a.incomplete, a.weighed = count, weight
	}
	return a, true
}
