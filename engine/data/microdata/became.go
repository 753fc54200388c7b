package microdata

import "slices"

// BecameOf returns by code of the original what its category became, 0 where that is
// missing or not known, and by code how many records of the original have a
// category that became this one, -1 where that is not known. Both are nil where
// the categories did not change or one category became several.
func BecameOf(now, before *Categories) (became []uint32, counts []int) {
	if now == nil || before == nil || before == now || now.Codes.Len() != before.Codes.Len() {
		return nil, nil
	}
	became = make([]uint32, len(before.Levels)+1)
	for _, pairs := range Pairs(before.Codes, now.Codes) {
		for _, pair := range pairs {
			switch from, to := pair[0], pair[1]; {
			case from == 0 || to == 0 || became[from] == to:
			case became[from] == 0:
				became[from] = to
			default:
				return nil, nil
			}
		}
	}
	unknown := make([]bool, len(now.Levels)+1) // others may have become it too
	inferLost(now, before, became, unknown)
	counts = make([]int, len(unknown))
	for from, n := range before.Counts() {
		if from == 0 || became[from] != 0 {
			counts[became[from]] += n
		}
	}
	for code := range counts {
		if unknown[code] {
			counts[code] = -1
		}
	}
	return became, counts
}

// inferLost completes what categories became where no record is left to tell,
// since all were suppressed: of ordered categories one between two of the same
// fate shares it. It marks the categories that others may have become.
func inferLost(now, before *Categories, became []uint32, unknown []bool) {
	counts := before.Counts()
	last, open := uint32(0), []int(nil)
	settle := func(next uint32) {
		for _, code := range open {
			if next == last && before.Ordered && last != 0 {
				became[code] = last
				continue
			}
			unknown[last], unknown[next] = true, true
			for i := range unknown {
				unknown[i] = unknown[i] || !before.Ordered && i > 0
			}
		}
		open = open[:0]
	}
	sameLevels := len(now.Levels) == len(before.Levels) && len(now.Levels) > 0 && &now.Levels[0] == &before.Levels[0]
	for code := 1; code < len(became); code++ {
		switch {
		case sameLevels:
			became[code] = uint32(code)
		case became[code] != 0:
			settle(became[code])
			last = became[code]
		case counts[code] > 0:
			open = append(open, code)
		}
	}
	settle(0)
	unknown[0] = false // missing in the original is always known
}

// Redrawn says how many records have another category of a variable than before, and how
// many have one both now and then; ok is false where the categories are not the same.
func Redrawn(now, before *Categories) (changed, present int, ok bool) {
	same := func(a, b Level) bool { return a.Label == b.Label }
	if now == nil || before == nil || now.Codes.Len() != before.Codes.Len() ||
		!slices.EqualFunc(now.Levels, before.Levels, same) {
		return 0, 0, false
	}
	for first, pairs := range Pairs(before.Codes, now.Codes) {
		for i, pair := range pairs {
			if pair[0] == 0 || pair[1] == 0 {
				continue
			}
			records := 1
			if now.multiplicity != nil {
				records = now.multiplicity[first+i]
			}
			present += records
			if pair[0] != pair[1] {
				changed += records
			}
		}
	}
	return changed, present, true
}
