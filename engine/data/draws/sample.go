package draws

import (
	"math/rand/v2"
	"slices"
)

// Sample is a simple random sample without replacement: so many of the records or households, every choice equally
// likely.
type Sample struct {
	Of, Kept  int
	Weight    string // variable that is multiplied by Of / Kept; "": none
	Household string // variable that tells the households that are drawn; "": records are
}

// Kept is the code of records that a sample keeps, Dropped that of the others.
const (
	Dropped = 0
	Kept    = 1
)

// Sampling returns what records of so many rows draw from in a sample. In a file they are kept by their numbers, or the
// households by those of their first records, see Keeping; elsewhere those are that draw the lowest numbers, see Until.
func Sampling(seed uint64, rows int, s Sample) Chances {
	return Chances{Seed: seed, Draws: seed, Purpose: "sample", Sample: &s, Rows: slices.Repeat([]uint32{1}, rows),
		Of: until(0)}
}

// Until returns the chances of a sample that keeps the records that draw no more than a number.
func (c *Chances) Until(number uint64) *Chances {
	out := *c
	out.Of = until(number)
	return &out
}

// Highest returns the number up to which records are kept; 0: it is not known.
func (c *Chances) Highest() uint64 { return c.Of[0].Below[0] - 1 }

func until(number uint64) []Outcomes {
	return []Outcomes{{Below: []uint64{number + 1, 1 << 63}, Codes: []uint32{Kept, Dropped}}}
}

// Factor is what weights are multiplied by, so that they add up to as much as before in expectation.
func (s *Sample) Factor() float64 { return float64(s.Of) / float64(s.Kept) }

// Keeping returns what says of one of so many units after the other whether it is kept: each in turn with the probability
// that is left for it. Knuth, The Art of Computer Programming, volume 2, 3.4.2, algorithm S.
func Keeping(stream *rand.Rand, of, kept int) func() bool {
	return func() bool {
		if kept == 0 {
			return false
		}
		of--
		if stream.IntN(of+1) >= kept {
			return false
		}
		kept--
		return true
	}
}

// OfRows draws how many records of each row are kept, or how many of the households of each kind, where rows stand for
// so many records, which are all. They have the law of a sample of single records, the multivariate hypergeometric one:
// each record is kept by itself first, with about the same chance; then as many of those that are kept, or of the
// others, as there are too many or too few.
func (s *Sample) OfRows(records []int, stream *rand.Rand) []int {
	alone := Outcomes{Below: []uint64{uint64(float64(s.Kept) / float64(s.Of) * (1 << 63)), 1 << 63}}
	kept, all := make([]int, len(records)), 0
	for row, count := range records {
		kept[row] = alone.Counts(count, stream)[0]
		all += kept[row]
	}
	if all > s.Kept {
		move(some(stream, all, all-s.Kept), kept, func(row int) { kept[row]-- })
		return kept
	}
	others := make([]int, len(records))
	for row, count := range records {
		others[row] = count - kept[row]
	}
	move(some(stream, s.Of-all, s.Kept-all), others, func(row int) { kept[row]++ })
	return kept
}

// move calls one with the row of each of some records, which are counted off from the first of rows of so many on.
func move(places []int, records []int, one func(row int)) {
	counts, row, before := slices.Clone(records), 0, 0
	for _, place := range places {
		for place >= before+counts[row] {
			before += counts[row]
			row++
		}
		one(row)
	}
}

// some returns so many different whole numbers below another, in ascending order, every choice equally likely: Bentley
// and Floyd (1987), A sample of brilliance.
func some(stream *rand.Rand, below, want int) []int {
	drawn := make(map[int]bool, want)
	for last := below - want; last < below; last++ {
		if number := stream.IntN(last + 1); !drawn[number] {
			drawn[number] = true
		} else {
			drawn[last] = true
		}
	}
	out := make([]int, 0, want)
	for number := range drawn {
		out = append(out, number)
	}
	slices.Sort(out)
	return out
}
