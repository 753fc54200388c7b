// Package minimal finds local suppressions: it makes as few cells of the key variables missing as it can, or cells of
// the least total price, so that no record violates k-anonymity under a chosen protection rule.
//
// The package knows no data set. A [Problem] holds the distinct keys of a file with their counts; [Solve] returns which
// sets of variables are blanked for how many records of which key, with a lower bound on the price of any solution.
//
//	solution, err := minimal.Solve(ctx, &minimal.Problem{
//		Codes: codes, Levels: levels, Count: count,
//		K: 3, Price: price, TieOrder: order, Rule: minimal.Conservative,
//	}, nil)
//
// # The problem
//
// A record with the missing variables m chooses a set M that contains m; choosing costs the price of M without m. A
// group is a set M with the values of the variables outside M. A group may be used if at least k records choose it, or
// if a complete key of at least k records, which stays as it is, agrees with it, or if it has everything blank: such a
// record is like all. The total price is to be least. Under the own-category rule only the records that choose a group
// count.
//
// This is facility location with lower bounds: groups are facilities that serve at least k clients or none, records are
// clients, and what a solution decides is their assignment. A problem falls into parts that have no group in common.
//
// # The method
//
// The file is projected on ever fewer variables, cheapest sets first, for the records that are not yet at their
// cheapest; this gives the groups worth using, the lower bound and a greedy first solution. A local search then opens
// groups that records would rather be in. Files with so many key variables that the sets cannot be gone through are
// finished by clustering similar records; the bound is then that of the sets gone through. Nothing depends on time or on
// the number of processors.
//
// A file of few records is solved exactly. [Thorough] goes on from there in others: small random changes are made and
// mended, and a Lagrangian dual raises the bound.
//
// The package finds compatible keys by itself, as package keys does: here they come and go with every cell that is
// given back.
package minimal

import (
	"errors"
	"math/bits"
)

// MaxVariables is the largest number of key variables of a [Problem].
const MaxVariables = 64

// ErrUnreachable reports that no suppression reaches k: there are fewer than k records.
var ErrUnreachable = errors.New("k-anonymity cannot be reached")

// Rule is the protection rule: how a record's frequency is counted when keys have missing values.
type Rule uint8

const (
	// Conservative counts, for a complete key, the records with the same key; for a key with missing values, the
	// records with the identical key and the complete records that agree with it.
	Conservative Rule = iota
	// OwnCategory counts the records with the identical key only: missing is a category of its own.
	OwnCategory
	// Default counts all compatible records, those whose own missing values make them compatible with weight Alpha.
	Default
	// CategorySize is Default with Alpha 1, but a complete key counts a compatible incomplete record with the product,
	// over that record's missing variables, of the share of the category that the key has there.
	CategorySize
)

// Problem is a file reduced to its distinct keys, as a key table holds them: what it says is not checked again. It is
// not modified.
type Problem struct {
	// Codes holds the category of each key on each variable, Codes[variable][key]: 0 is missing, 1 to Levels[variable]
	// are categories. No two keys are equal.
	Codes [][]uint32
	// Levels is the number of categories of each variable, missing not counted.
	Levels []int
	// Count is the number of records of each key, at least 1.
	Count []int
	// K is the number of records that no record may be told apart from, itself included. Up to 1 nothing is to do.
	K int
	// Price of one blanked cell of each variable, at least 1.
	Price []int
	// TieOrder lists the variables in the order of suppression, least important first. Of two sets of variables of the
	// same price the one is preferred that comes first when both are written in this order.
	TieOrder []int
	// Rule is the protection rule.
	Rule Rule
	// Alpha is the weight of incomplete records under the rule Default, from 0 to 1. Other rules ignore it.
	Alpha float64
	// Quick leaves small files to the search too, and the price without a bound under rules that count wildcards: for
	// one of many problems.
	Quick bool
	// Whole is the number of records of the file of which this is one stratum, or 0: the bounds on work are for the
	// file, and its strata share them.
	Whole int64
}

// variables returns the number of key variables.
func (p *Problem) variables() int { return len(p.Codes) }

// keys returns the number of distinct keys.
func (p *Problem) keys() int { return len(p.Count) }

// records returns the number of records.
func (p *Problem) records() int64 {
	var n int64
	for _, c := range p.Count {
		n += int64(c)
	}
	return n
}

// share returns the part of some work for the whole file that is this stratum's.
func (p *Problem) share(work int64) int64 {
	n := p.records()
	if p.Whole <= n {
		return work
	}
	return int64(float64(work) * float64(n) / float64(p.Whole))
}

// full returns the set of all variables.
func (p *Problem) full() uint64 {
	if p.variables() == MaxVariables {
		return ^uint64(0)
	}
	return 1<<p.variables() - 1
}

// isLikeAll reports whether a record with the variables of set missing cannot be told from any other: one that is
// missing everywhere counts all records, of which there are at least k, except where missing is a category of its
// own.
func (p *Problem) isLikeAll(set uint64) bool { return p.Rule != OwnCategory && set == p.full() }

// price returns the price of blanking every variable of set.
func (p *Problem) price(set uint64) int64 {
	var sum int64
	for ; set != 0; set &= set - 1 {
		sum += int64(p.Price[bits.TrailingZeros64(set)])
	}
	return sum
}

// missing returns, for each key, the set of variables that are missing in it.
func (p *Problem) missing() []uint64 {
	sets := make([]uint64, p.keys())
	for v, column := range p.Codes {
		for key, code := range column {
			if code == 0 {
				sets[key] |= 1 << v
			}
		}
	}
	return sets
}

// priceStep returns the greatest common divisor of the prices.
func (p *Problem) priceStep() int64 {
	step := 0
	for _, price := range p.Price {
		for price != 0 {
			step, price = price, step%price
		}
	}
	return int64(step)
}
