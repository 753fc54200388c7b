package suppression

import (
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// riskThreshold is the dialog of suppression above a risk threshold: while the threshold moves, the records above
// it are counted and drawn.
type riskThreshold struct {
	dialogs.StepDialog
	method *suppress.AboveRisk
	curves map[string]*suppress.RiskCurve // by key variable, made on demand
}

// thresholdSteps is the approximate number of key presses from one end of the risks to the other.
const thresholdSteps = 60

// newRiskThreshold opens the dialog, or returns nil if nothing can be suppressed or the risks are not known.
func newRiskThreshold(s views.State, spec method.Spec, m *suppress.AboveRisk) dialogs.Dialog {
	if len(s.Scenario.Keys) == 0 || s.Current.Assessment == nil {
		return nil
	}
	d := &riskThreshold{method: m, curves: map[string]*suppress.RiskCurve{}}
	d.Begin(s, spec, m, d)
	d.Named("variable").Help = "The key variable to suppress in the records above the threshold."
	threshold := d.Named("threshold")
	threshold.Help = "Suppresses the value of the variable in records whose individual risk exceeds the threshold. The arrow keys " +
		"step through the risks in the file; you can also type a number."
	threshold.Value = func() string { return views.RiskText(m.Threshold) }
	threshold.Change = func(by int) { d.move(s, by*max(1, len(d.curve(s).Thresholds())/thresholdSteps)) }
	d.At = 1 // focus on the threshold
	return d
}

// curve returns the curve of the chosen variable.
func (d *riskThreshold) curve(s views.State) *suppress.RiskCurve {
	made, ok := d.curves[d.method.Variable]
	if !ok {
		var err error
		in := method.Input{Data: s.Current.Data, Scenario: s.Scenario}
		made, err = suppress.NewRiskCurve(s.Current.Assessment, in, slices.Index(s.Scenario.Keys, d.method.Variable))
		if err != nil {
			made = &suppress.RiskCurve{} // the what-if shows the error
		}
		d.curves[d.method.Variable] = made
	}
	return made
}

// move moves the threshold along the risks of the file.
func (d *riskThreshold) move(s views.State, by int) {
	risks := d.curve(s).Thresholds()
	if len(risks) == 0 {
		return
	}
	d.method.Threshold = risks[profile.Further(len(risks), func(i int) float64 { return risks[i] }, d.method.Threshold,
		by)]
}

// Acts returns the keys that move the threshold by one risk.
func (d *riskThreshold) Acts(s views.State) []views.KeyAction {
	return []views.KeyAction{views.Presses("shift+←→", "one risk at a time", dialogs.Turns(func(by int) { d.move(s, by) }),
		"shift+left", "shift+right")}
}

// Under draws the records above the threshold.
func (d *riskThreshold) Under(s views.State, width, height int) []string {
	curve := d.curve(s)
	records, cells := curve.Above(d.method.Threshold)
	text := fmt.Sprintf("%s (%s%s) above the threshold", wording.Counted(records, "record"),
		wording.PercentOf(records, s.Current.Data.Records()),
		dialogs.Weighted(s, curve.Population(d.method.Threshold), curve.Population(-1)))
	lines := s.Suppressed.Wrapped(text, width)
	text = fmt.Sprintf("%s of %s %s", wording.Counted(cells, "cell"), draw.Safe(d.method.Variable), wording.Verb(cells, "are suppressed"))
	if len(d.method.Importance) > 0 {
		text = "Cells are suppressed in order of importance"
	}
	if curve.Shared() {
		text += ", including those of other household members"
	}
	lines = append(s.Suppressed.Append(lines, text, width), d.Warnings(s, width)...)
	return draw.Under(lines, RiskCut(s.Theme, curve, d.method.Threshold, width, height-len(lines)-1))
}

// Rows returns the number of lines of the fields, the help and the bars.
func (d *riskThreshold) Rows() int { return 24 }
