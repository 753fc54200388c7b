package rscript

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// intervals sets breaks and labels for globalRecode, or for cut if globalRecode does not have such intervals.
func intervals(c *call) string {
	m := c.Method.(*recode.Intervals)
	column, _ := c.Before.Column(m.Variable)
	cut, err := m.Cut(column)
	switch {
	case err != nil:
		return "the variable cannot be cut"
	case m.Count > 0:
		c.differs("sdcMicro rounds breaks in another way, and has only intervals (a, b]")
		c.lines = "{into} <- globalRecode({object}, breaks = {count}, method = {method}, labels = {labels})"
	case cut.Lower || cut.Closed:
		c.lines = "# globalRecode() has intervals (a, b] only\n{slot} <- cut({slot}, breaks = {breaks}, labels = {labels},\n" +
			"  right = {right}, include.lowest = {include_lowest})\nsdc <- calcRisks(sdc)"
	}
	if c.changed[m.Variable] {
		c.lines = "{slot} <- dat[[{variable}]]  # intervals are those of the original values\n" + c.lines
		if c.suppressed {
			c.differs("suppressed cells stay missing in sdcdesk")
		}
	}
	if c.args["right"] = value(!cut.Lower); m.Count == 0 && len(m.Labels) == 0 {
		c.args["labels"] = vector(cut.Labels(column.Unrecoded().Kind() == microdata.Whole))
	}
	breaks := slices.Clone(cut.Breaks)
	if cut.Below {
		breaks[0] = math.Inf(-1)
	}
	if cut.Above {
		breaks[len(breaks)-1] = math.Inf(1)
	}
	c.args["breaks"] = list(strings.Fields(strings.Trim(fmt.Sprint(breaks), "[]")), "c")
	return ""
}

func group(c *call) string {
	m := c.Method.(*recode.Group)
	if len(m.Levels) == 0 {
		return "groupAndRename() makes no category of missing values alone"
	}
	if m.IncludeMissing && c.suppressed {
		c.differs("suppressed cells stay missing in sdcdesk")
	}
	column, _ := c.Before.Column(m.Variable)
	c.args["after"] = quote(cmp.Or(m.Label, m.DefaultLabel(column)))
	return ""
}

func topBottom(c *call) string {
	m := c.Method.(*recode.TopBottom)
	if column, _ := c.Before.Column(m.Variable); !column.Numeric() || m.TopPopulation != nil || m.BottomPopulation != nil {
		return "topBotCoding() takes numbers and thresholds only"
	}
	replacement, ok := map[string]string{recode.ReplaceByThreshold: "{top}", recode.ReplaceByValue: "{top_value}",
		recode.ReplaceByMean: "mean({slot}[{slot} > {top}], na.rm = TRUE)"}[m.Replacement]
	line := "{into} <- topBotCoding({object}, value = {top}, replacement = " + replacement + ", kind = \"top\")\n"
	if c.lines = ""; !ok {
		return "topBotCoding() does not round the mean"
	}
	if m.Top != nil {
		c.lines = line
	}
	if m.Bottom != nil {
		c.lines += strings.NewReplacer("topBot", "topBot", "> {top}", "< {bottom}", "top", "bottom").Replace(line)
	}
	return ""
}

// stratified reports whether sdcMicro accepts variables as strata.
func (o *object) stratified(by []string) bool {
	return len(by) < 2 && !slices.ContainsFunc(by, func(v string) bool { return slices.Contains(o.keys, v) })
}

func kAnonymity(c *call) string {
	m := c.Method.(*suppress.KAnonymity)
	strata := m.Strata
	if strata == nil {
		strata = c.Scenario.Strata
	}
	if c.args["stratum"] = vector(strata); !c.stratified(strata) {
		return notStratified
	}
	c.args["combs"], c.args["alpha"] = null, alpha(microdata.Rule(m.Rule), c.Scenario)
	if len(m.Subsets) > 0 {
		c.differs("sdcMicro goes through the combinations once and can leave violators")
		c.args["combs"] = fmt.Sprintf("sapply(%s, `[[`, \"size\")", c.args["subsets"])
		c.args["k"] = fmt.Sprintf("sapply(%s, `[[`, \"k\")", c.args["subsets"])
	}
	switch given := len(m.Importance); {
	case given == len(c.keys):
		c.args["importance"] = "unlist(" + c.args["importance"] + ")[" + c.args["keys"] + "]"
	case given > 0:
		c.differs("sdcMicro takes the importance of all key variables or none, not " + c.args["importance"])
		c.args["importance"] = null
	}
	return ""
}

func microaggregate(c *call) string {
	m := c.Method.(*microaggregation.Microaggregate)
	if m.Sort == "" {
		c.args["sort"] = "1"
	}
	if len(m.Variables) == 1 && m.Method != "onedims" || !strings.Contains("onedims simple single pca mdav", m.Method) ||
		m.Transform != microaggregation.Default || m.Method == "mdav" && m.Aggregate != "mean" {
		c.differs("microaggregation() sorts a single variable by any method, has means only for mdav, transforms values for " +
			"clusters only, and computes clusters and robust estimates in another way")
	}
	return ""
}
