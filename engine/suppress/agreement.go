package suppress

import "math/bits"

// planes is the number of bits that count the variables on which two records
// differ: enough for 127 variables.
const planes = 7

// agreement answers, for one record against all others at once, which of them
// agree with it on a variable: they have the same value, or one is missing.
// A word holds 64 records. Values that many records have keep a word per 64
// records; the others a list, so that memory stays O(records) per variable.
type agreement struct {
	missing [][]uint64   // missing[variable]: records without a value there, and the bits past the last record
	common  [][][]uint64 // common[variable][code]: records that had the value at the start; nil: see rare
	rare    [][][]uint32 // rare[variable][code]: the same as a list

	scratch []uint64   // one word per 64 records
	differs [][]uint64 // the same per variable
}

// newAgreement describes records by their codes[variable][record]; levels is
// the number of categories per variable.
func newAgreement(codes [][]uint32, levels []int) *agreement {
	n := len(codes[0])
	words := (n + 63) / 64
	a := &agreement{scratch: make([]uint64, words)}
	for v := range codes {
		missing, common, rare := make([]uint64, words), make([][]uint64, levels[v]+1), make([][]uint32, levels[v]+1)
		for record, code := range codes[v] {
			if code == 0 {
				missing[record>>6] |= 1 << (record & 63)
			} else {
				rare[code] = append(rare[code], uint32(record))
			}
		}
		if rest := n & 63; rest != 0 {
			missing[words-1] |= ^uint64(0) << rest
		}
		for code, records := range rare {
			if len(records) > words {
				common[code], rare[code] = bitmap(records, words), nil
			}
		}
		a.missing, a.common, a.rare = append(a.missing, missing), append(a.common, common), append(a.rare, rare)
		a.differs = append(a.differs, make([]uint64, words))
	}
	return a
}

func bitmap(records []uint32, words int) []uint64 {
	set := make([]uint64, words)
	for _, record := range records {
		set[record>>6] |= 1 << (record & 63)
	}
	return set
}

// blank notes that a record has lost its value. The value's own set is left as
// it is: the record agrees with everybody now, whatever that set says.
func (a *agreement) blank(record, variable int) {
	a.missing[variable][record>>6] |= 1 << (record & 63)
}

// difference fills into with the records that differ from the value.
func (a *agreement) difference(into []uint64, variable int, code uint32) {
	missing := a.missing[variable]
	if common := a.common[variable][code]; common != nil {
		for w := range into {
			into[w] = ^(common[w] | missing[w])
		}
		return
	}
	for w := range into {
		into[w] = ^missing[w]
	}
	for _, record := range a.rare[variable][code] {
		into[record>>6] &^= 1 << (record & 63)
	}
}

// count returns how many complete and how many incomplete records agree with
// the given one on all variables, itself included.
func (a *agreement) count(codes [][]uint32, record int, completeRecords []uint64) (complete, incomplete int) {
	clear(a.scratch)
	for v := range codes {
		if code := codes[v][record]; code != 0 {
			a.difference(a.differs[v], v, code)
			for w, word := range a.differs[v] {
				a.scratch[w] |= word
			}
		}
	}
	if rest := len(codes[0]) & 63; rest != 0 {
		a.scratch[len(a.scratch)-1] |= ^uint64(0) << rest
	}
	for w, word := range a.scratch {
		complete += bits.OnesCount64(^word & completeRecords[w])
		incomplete += bits.OnesCount64(^word &^ completeRecords[w])
	}
	return complete, incomplete
}

// nearestDifference looks among the records that differ from the given one on
// the fewest, but at least one, of the variables, and returns the place in
// variables of the first on which any of them differs. ok is false where no
// record differs.
func (a *agreement) nearestDifference(codes [][]uint32, record int, variables []int) (first int, ok bool) {
	for place, v := range variables {
		a.difference(a.differs[place], v, codes[v][record])
	}
	differs := a.differs[:len(variables)]
	fewest, first := len(variables)+1, len(variables)
	for w := range a.scratch {
		sum, counted := addUp(differs, w)
		if counted == 0 {
			continue
		}
		for n := 1; n <= fewest && n <= len(variables); n++ {
			records := exactly(&sum, n)
			if records == 0 {
				continue
			}
			if n < fewest {
				fewest, first = n, len(variables)
			}
			first = min(first, firstHit(differs, w, records))
			break
		}
		if fewest == 1 && first == 0 {
			break // nothing can come before
		}
	}
	return first, fewest <= len(variables)
}

// addUp counts, for each of the 64 records of a word, the sets that it is in,
// as binary digits across the planes of sum; counted holds the records in a set.
func addUp(sets [][]uint64, w int) (sum [planes]uint64, counted uint64) {
	for _, set := range sets {
		carry := set[w]
		counted |= carry
		for p := 0; carry != 0; p++ {
			sum[p], carry = sum[p]^carry, sum[p]&carry
		}
	}
	return sum, counted
}

// exactly returns the records that are counted n times.
func exactly(sum *[planes]uint64, n int) uint64 {
	records := ^uint64(0)
	for p := range sum {
		if n>>p&1 == 1 {
			records &= sum[p]
		} else {
			records &^= sum[p]
		}
	}
	return records
}

// firstHit returns the place of the first set that holds one of the records.
func firstHit(sets [][]uint64, w int, records uint64) int {
	for place, set := range sets {
		if set[w]&records != 0 {
			return place
		}
	}
	return len(sets)
}
