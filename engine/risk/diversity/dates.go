package diversity

import (
	"cmp"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// chronological returns the levels of a variable in the order of their days, and for each code its code in that order, if
// all of them are dates: texts of any known spelling, or years and months that a step made of dates.
func chronological(v *measure.Version, variable string) (levels []microdata.Level, mapping []uint32, ok bool) {
	column, _ := v.Column(variable)
	layouts := dateLayouts(column.Source())
	if len(layouts) == 0 {
		return nil, nil, false
	}
	all := v.Levels(variable)
	if own := layoutsOf(all, append(microdata.AnyDate(), "2006")); len(all) > 0 && len(own) > 0 {
		layouts = own
	} else {
		return nil, nil, false
	}
	days := make([]float64, len(all))
	for i := range all {
		days[i] = layouts.Day(all[i].Label)
	}
	mapping = make([]uint32, len(all)+1)
	for place, i := range slices.SortedStableFunc(slices.Values(stat.InOrder(len(all))), func(a, b uint32) int {
		return cmp.Compare(days[a], days[b])
	}) {
		levels, mapping[i+1] = append(levels, all[i]), uint32(place+1)
	}
	return levels, mapping, !slices.ContainsFunc(days, math.IsNaN)
}

// dateLayouts returns the spellings of dates that all values of a variable have; none: they are no dates.
func dateLayouts(column *microdata.Column) microdata.DateLayouts {
	if column.Kind() != microdata.Category || column.Len() == 0 {
		return nil
	}
	return layoutsOf(column.Categories().Levels, microdata.AnyDate())
}

func layoutsOf(levels []microdata.Level, layouts microdata.DateLayouts) microdata.DateLayouts {
	for i := 0; i < len(levels) && len(layouts) > 0; i++ {
		layouts = layouts.Of(levels[i].Label)
	}
	if len(levels) == 0 {
		return nil
	}
	return layouts
}
