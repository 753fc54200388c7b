package catalog_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
)

// sampledAlike compares what a sample of records or households and of groups has, but for which it keeps.
func (p pair) sampledAlike(m method.Method, records, groups *method.Output, scenario *microdata.Scenario) error {
	of, factor := groups.Report.Selection, 0.0
	if m.(*prepare.Sample).Unit == prepare.UnitHouseholds { // how many records they have is drawn
		var err error
		if factor, err = p.householdsSampledAlike(records.Data, groups.Data, scenario.Household); err != nil {
			return err
		}
		again := wording.Number(records.Report.Selection.After) + " of "
		records.Report.Effect = strings.Replace(records.Report.Effect, again, wording.Number(of.After)+" of ", 1)
		records.Report.Selection = &method.Selection{Before: of.Before, After: of.After}
	} else if factor = float64(of.Before) / float64(of.After); records.Data.Len() != of.After {
		return fmt.Errorf("%d records are kept, and %d of groups", records.Data.Len(), of.After)
	}
	if !reflect.DeepEqual(records.Report, groups.Report) {
		return fmt.Errorf("the report of records is\n%+v\nof groups\n%+v", records.Report, groups.Report)
	}
	if groups.Data.Records() != of.After || p.records.Len() != of.Before {
		return fmt.Errorf("%d records and %d of groups are kept of %d", records.Data.Len(), groups.Data.Records(), p.records.Len())
	}
	for _, column := range groups.Data.Columns() {
		before, _ := p.groups.Column(column.Name())
		was, is, all := before.Categories().Counts(), column.Categories().Counts(), 0
		for code := range is {
			if all += is[code]; column.Name() != "weight" && is[code] > was[code] {
				return fmt.Errorf("%s: %d records have what %d had", column.Name(), is[code], was[code])
			}
		}
		if all != of.After {
			return fmt.Errorf("%s: of %d records", column.Name(), all)
		}
	}
	if by := columnsOf(groups.Data); len(by) > 0 {
		before := keyCounts(p.groups, by)
		for key, count := range keyCounts(groups.Data, by) {
			if count > before[key] {
				return fmt.Errorf("%d records are kept of the %d with %q", count, before[key], key)
			}
		}
	}
	return weighedBy(groups.Data, scenario.Weight, factor)
}

// householdsSampledAlike compares samples of households, which are as many, and returns how many there are of them for
// each that is kept. Of groups no more of a kind are kept than there are, of rows that stand for their records.
func (p pair) householdsSampledAlike(records, groups *microdata.Dataset, variable string) (factor float64, err error) {
	households := func(data *microdata.Dataset) (count int) {
		column, _ := data.Column(variable)
		for _, of := range microdata.NewHouseholds(column).Sizes() {
			count += of
		}
		return count
	}
	all, kept := households(p.records), households(records)
	if households(groups) != kept {
		return 0, fmt.Errorf("%d households are kept, and %d of groups", kept, households(groups))
	}
	was, is := householdsOfKind(p.groups, variable), householdsOfKind(groups, variable)
	for kind, count := range is {
		if count > was[kind] {
			return 0, fmt.Errorf("%d households are kept of the %d with %q", count, was[kind], kind)
		}
	}
	return float64(all) / float64(kept), nil
}

// householdsOfKind counts households by the keys of their members.
func householdsOfKind(data *microdata.Dataset, variable string) map[string]int {
	column, _ := data.Column(variable)
	households, columns, counts := microdata.NewHouseholds(column), golden.Columns(data, columnsOf(data)...), map[string]int{}
	for kind := range households.Len() {
		var members []string
		for i := range households.Members(kind) {
			key := ""
			for _, column := range columns {
				key += column.Text(households.Member(kind, i)) + "\x00"
			}
			members = append(members, key)
		}
		slices.Sort(members)
		counts[strings.Join(members, "\n")] += households.Times(kind)
	}
	return counts
}

// weighedBy reports weights that are not those of the source times a factor.
func weighedBy(data *microdata.Dataset, weight string, factor float64) error {
	column, weighed := data.Column(weight)
	for row := 0; weighed && row < data.Len(); row++ {
		if was, is := column.Source().Float(row), column.Float(row); !alike(was*factor, is) && math.Abs(was*factor-is) > 1e-8 {
			return fmt.Errorf("the weight %v of a row became %v, and not that times %v", was, is, factor)
		}
	}
	return nil
}
