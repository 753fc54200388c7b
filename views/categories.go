package views

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// NowAndBefore are the categories of a variable as they are and as they were; nil
// where it is not there.
type NowAndBefore struct{ Now, Before *microdata.Categories }

// Categories returns the categories of a variable as they are and as they were.
func (s State) Categories(variable string) NowAndBefore {
	return NowAndBefore{CategoriesOf(s.Current, variable), CategoriesOf(s.Original, variable)}
}

// CategoriesOf returns the categories of a variable; nil where it is not there.
func CategoriesOf(v Version, name string) *microdata.Categories {
	if column := v.Column(name); column != nil {
		return column.Categories()
	}
	return nil
}

// LevelLabel returns the label of a category, or what stands for a missing value.
func LevelLabel(categories *microdata.Categories, code uint32) string {
	if code == 0 || int(code) > len(categories.Levels) {
		return MissingLabel
	}
	return categories.Levels[code-1].Label
}

// MissingLabel stands where a value is missing.
const MissingLabel = "(missing)"

// CategoryMapping returns by code of the original what its category became, 0 where that is
// missing or not known, and by code how many records of the original have a
// category that became this one, -1 where that is not known. Both are nil where
// the categories did not change or one category became several.
func CategoryMapping(now, before *microdata.Categories) (became []uint32, counts []int) {
	if now == nil || before == nil || before == now || now.Codes.Len() != before.Codes.Len() {
		return nil, nil
	}
	became = make([]uint32, len(before.Levels)+1)
	for record := range now.Codes.Len() {
		from, to := before.Codes.At(record), now.Codes.At(record)
		switch {
		case from == 0 || to == 0 || became[from] == to:
		case became[from] == 0:
			became[from] = to
		default:
			return nil, nil
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
func inferLost(now, before *microdata.Categories, became []uint32, unknown []bool) {
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
