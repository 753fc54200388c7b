// Package minimal computes minimal local suppressions: it suppresses as few cells of the key variables as it can,
// or cells of the lowest weighted cost, so that no record violates k-anonymity under a chosen suppression rule.
//
// The package does not use datasets. A [Problem] holds the key patterns of a file with their counts. [Solve]
// returns the sets of variables to suppress, each with a number of records of a key pattern, and a lower bound on
// the weighted cost of any solution. [Thorough] is a longer search. [Restoring] restores cells that need not be
// suppressed. The code calls a key pattern a key and a weighted cost a price.
//
//	solution, err := minimal.Solve(ctx, &minimal.Problem{
//		Codes: codes, Levels: levels, Count: count,
//		K: 3, Price: price, TieOrder: order, Rule: minimal.Conservative,
//	}, nil)
//
// # The problem
//
// A record with the missing variables m chooses a set M that contains m; this costs the price of M without m. A
// group is a set M with values of the variables outside M. A group is usable if at least k records choose it, if
// it agrees with a complete key of at least k records, which stays as it is, or if M contains all variables: a
// record without any value is compatible with every record. The total price is minimised. Under the own-category
// rule only the records that choose a group count.
//
// This is a facility location problem with lower bounds: groups are facilities that serve no client or at least k,
// records are clients, and a solution assigns clients to facilities. A problem decomposes into parts that have no
// group in common.
//
// # The method
//
// The file is projected on ever fewer variables, cheapest sets first, for the records that have not found their
// cheapest set yet. This yields the useful groups, the lower bound and a greedy first solution. A local search
// then opens groups in which records would be cheaper. If there are too many key variables to enumerate all sets,
// the remaining records are clustered by similarity, and the bound is that of the enumerated sets. Results do not
// depend on time or on the number of processors.
//
// Small files are solved exactly. For larger files, [Thorough] makes small random changes and repairs them, and a
// Lagrangian dual raises the bound.
//
// The package has its own index of compatible keys, because in contrast to those of package keys they change with every
// restored cell.
package minimal

import (
	"errors"
	"math/bits"
)

// MaxVariables is the largest number of key variables of a [Problem].
const MaxVariables = 64

// ErrUnreachable reports that no suppression reaches k, because there are fewer than k records.
var ErrUnreachable = errors.New("k-anonymity cannot be reached")

// Rule is the suppression rule: how a record's frequency is counted when keys have missing values.
type Rule uint8

const (
	// Conservative counts, for a complete key, the records with the same key; for a key with missing values, the
	// records with the identical key and the complete records that agree with it.
	Conservative Rule = iota
	// OwnCategory counts only the records with the identical key: missing is a separate category.
	OwnCategory
	// Default counts all compatible records. Records that are compatible only because of their own missing values
	// count with weight Alpha.
	Default
	// CategorySize is Default with Alpha 1, except that a complete key counts a compatible incomplete record with
	// the product, over that record's missing variables, of the relative frequencies of the key's categories.
	CategorySize
)

// Problem is a file reduced to its key patterns, as in a key table. It is not validated and not modified.
type Problem struct {
	// Codes holds the category of each key on each variable, Codes[variable][key]: 0 is missing, 1 to Levels[variable]
	// are categories. No two keys are equal.
	Codes [][]uint32
	// Levels is the number of categories of each variable, not counting missing.
	Levels []int
	// Count is the number of records of each key, at least 1.
	Count []int
	// K is the number of records that every record must be indistinguishable from, including itself. With K up to
	// 1 there is nothing to do.
	K int
	// Price is the cost of one suppressed cell of each variable, at least 1.
	Price []int
	// TieOrder lists the variables in the order of suppression, least important first. Of two sets with the same
	// price, the one that comes first when both are written in this order is preferred.
	TieOrder []int
	// Rule is the suppression rule.
	Rule Rule
	// Alpha is the weight of incomplete records under the rule Default, from 0 to 1. Other rules ignore it.
	Alpha float64
	// Quick skips the exact search for small files and, under rules that count wildcards, the bound. It is meant
	// for one of many problems.
	Quick bool
	// Whole is the number of records of the whole file if the problem is one of its strata, or 0. Limits on work
	// are for the whole file; strata share them.
	Whole int64
}

// variables returns the number of key variables.
func (p *Problem) variables() int { return len(p.Codes) }

// keys returns the number of key patterns.
func (p *Problem) keys() int { return len(p.Count) }

// records returns the number of records.
func (p *Problem) records() int64 {
	var n int64
	for _, c := range p.Count {
		n += int64(c)
	}
	return n
}

// share returns this stratum's share of work for the whole file.
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

// isLikeAll reports whether a record with the variables of set missing is indistinguishable from every other: a
// record that is missing everywhere counts all records, at least k, unless missing is a separate category.
func (p *Problem) isLikeAll(set uint64) bool { return p.Rule != OwnCategory && set == p.full() }

// price returns the price of suppressing every variable of set.
func (p *Problem) price(set uint64) int64 {
	var sum int64
	for ; set != 0; set &= set - 1 {
		sum += int64(p.Price[bits.TrailingZeros64(set)])
	}
	return sum
}

// missing returns the set of missing variables of each key.
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
