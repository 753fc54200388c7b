package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// triedOut returns record linkage and information loss of a step of microaggregation on all records, formatted as
// in the curve.
func (d *driver) triedOut(params string) (linkage, loss string) {
	d.Helper()
	found, err := d.m.bench.analyst.TradeOff(d.Context(), d.m.bench.doc.Data(), d.m.bench.scenario,
		session.StepSpec{Step: "microaggregate", Params: []byte(params)}, nil)
	if err != nil {
		d.Fatal(err)
	}
	return fmt.Sprintf("%.1f %%", 100*found.Linkage()), wording.CellLoss(found.Loss())
}

// line returns the line of the screen that contains all texts.
func (d *driver) line(texts ...string) string {
	d.Helper()
	for line := range strings.SplitSeq(d.Text(), "\n") {
		all := true
		for _, text := range texts {
			all = all && strings.Contains(line, text)
		}
		if all {
			return line
		}
	}
	d.Fatalf("no line has %q:\n%s", texts, d.Text())
	return ""
}

// The dialog of a masking method shows risk and information loss against the original data instead of unchanged
// figures of key variables. The curve has the figures for other group sizes on all records, with its cursor on the
// size in the field, and the map shows both.
func TestMaskingTellsRiskAndLoss(t *testing.T) {
	beside(t)
	d := demonstration(t, 120, 40).openMethod("microaggregate").retype("income, savings")
	d.Screen().Contains("interval risk", "linkage", "IL1s per cell", "means", "covariances", "correlations", "after",
		"○ now ◆ after · others", "on all 5,000 records").Screen().Lacks("k = 3", "expected re-id.", "being computed")
	for _, size := range []string{"2", "5", "50"} {
		linkage, loss := d.triedOut(`{"variables":["income","savings"],"size":` + size + `}`)
		d.line(" "+size+" ", linkage, loss)
	}
	if line := d.line("▸   3"); !strings.Contains(line, "% █") {
		t.Errorf("the grade of the field is %q", line)
	}
	d.focus("size").retype("6")
	linkage, loss := d.triedOut(`{"variables":["income","savings"],"size":6}`)
	d.line("▸   6", linkage, loss)
	before := d.line("linkage", "▼")
	d.focus("size").retype("40")
	if after := d.line("linkage", "▼"); after == before {
		t.Errorf("linkage stays at %q", after)
	}
	d.Press("up", "i").Screen().Contains("Interval, k = 0.05", "share of records").Press("tab").Screen().
		Contains("Distance-based linkage").Press("esc")
	// A second step is compared with the original data, not with those before it.
	d.Press("enter").openMethod("microaggregate").retype("income, savings")
	if line := d.line("IL1s per cell"); strings.Contains(line, " 0.00 ") {
		t.Errorf("before the second step: %q", line)
	}
	// If a key variable is masked, the figures of key variables are below.
	d.Press("esc").openMethod("noise").retype("age").Screen().Contains("linkage", "IL1s per cell",
		"After this step, k-anonymity and risk do not")
	d.focus("variables").retype("weight").focus("percent").retype("5").Screen().Contains("linkage", "k = 3", "expected re-id.")
}

// A curve being computed is faint and shows the remaining time. Its steps run one at a time, only after the
// figures of the dialog's own step.
func TestCurveIsComputedInBackground(t *testing.T) {
	d := demonstration(t, 120, 40).openMethod("microaggregate").Press("esc").Hold()
	d.openMethod("microaggregate").Screen().Contains("counting …")
	for range 40 {
		if d.m.grading.job.Runs() {
			break
		}
		held := d.held
		d.held = nil
		for _, cmd := range held {
			d.follow(cmd())
		}
	}
	if !d.m.grading.job.Runs() || d.m.asking.running != nil {
		t.Fatalf("the curve is not computed after the figures:\n%s", d.Text())
	}
	d.frame()
	if line := d.line(" 50 "); !strings.Contains(line, "…") {
		t.Errorf("a grade that is not known: %q", line)
	}
	d.Screen().Contains("on all 5,000 records · ").Release().Screen().Lacks("· about ", "being computed")
	d.Press("esc")
	if d.m.grading.job.Runs() {
		t.Error("the curve goes on when the dialog is closed")
	}
}

// Figures of a sample are neither in a table nor on a map with those of all records, and are labelled; the curve
// is of all records.
func TestMaskingOfALargeFile(t *testing.T) {
	beside(t)
	longtests.Needed(t)
	d := start(t, Options{Demo: true, OpenDemo: made(100_500)}, 120, 40)
	d.openMethod("noise").retype("income, expend")
	d.Screen().Contains("on a sample of 20,000 records", "on all 100,500 records", "○ now ◆ after")
	d.Screen().Lacks("· others")
	d.focus("percent").Press("left").Screen().Contains("· others")
}

// On a small screen, risk and information loss are in three lines under the fields, and the curve is shown while
// its parameter is in focus; a key shows other pictures. The frames are as large as the screen.
func TestMaskingOnSmallScreens(t *testing.T) {
	for _, z := range [][2]int{{80, 24}, {60, 15}, {200, 60}, {40, 12}} {
		d := surveyOf(t, z[0], z[1]).openMethod("microaggregate")
		for range 5 {
			for line := range strings.SplitSeq(d.Text(), "\n") {
				if draw.Width(line) > z[0] {
					t.Errorf("%v: %q", z, line)
				}
			}
			d.Press("shift+down")
		}
		if z[0] != 80 {
			continue
		}
		d = surveyOf(t, z[0], z[1]).openMethod("microaggregate")
		d.Screen().Contains("interval risk 100.0", "linkage", "IL1s per cell 0.00").Screen().Lacks("k=3 4,443 →", "▸   3")
		d.focus("size").Screen().Contains("▸   3", "linkage", "IL1s")
		d.Press("shift+down").Screen().Contains("○ now ◆ after")
		d.Press("shift+down").Screen().Contains("█ after")
		// a method without a strength parameter has neither curve nor map
		d = surveyOf(t, z[0], z[1]).openMethod("shuffle").focus("responses").retype("income")
		d.Screen().Contains("change plot").Screen().Lacks("○ now ◆ after")
	}
}

// While the figures of the dialog's own step are computed, no grade of the curve is started, and the lines have no
// gaps.
func TestOwnFiguresComeBeforeTheCurve(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).openMethod("microaggregate").retype("income")
	if _, after, _ := strings.Cut(d.Text(), "interval risk"); !strings.Contains(strings.SplitN(after, "\n", 3)[1], "linkage") {
		t.Errorf("below the interval risk stands no linkage:\n%s", d.Text())
	}
	d.focus("method").Hold().Press("right")
	if d.m.asking.running == nil || d.m.grading.job.Runs() {
		t.Errorf("figures asked for: %v, curve computed: %v", d.m.asking.running != nil, d.m.grading.job.Runs())
	}
}
