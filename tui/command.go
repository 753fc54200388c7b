package tui

import (
	"slices"
	"strings"
	"unicode"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/glossary"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/pages"
)

// command is a command of the workbench, declared once: its key, its name in the palette and in help, when it can
// be used, and what it does.
type command struct {
	binding  key.Binding
	name     string                // in the palette
	words    string                // further words to find it in the palette
	help     string                // likewise; words of fewer than 4 letters are ignored
	methods  []string              // names of the methods that it opens, whose titles also find it
	short    bool                  // shown in the bottom line
	variable bool                  // applies to the selected variable, which the bottom line names
	numeric  bool                  // shown before the keys of the pane in the tab Numeric
	waits    bool                  // is postponed until running work ends
	anywhere bool                  // can be used on every page, not only on the workbench
	reason   func(m *Model) string // the reason why it cannot be used now, or ""; nil: always usable
	do       func(m *Model)
}

// why returns the reason why the command cannot be used now, or "".
func (c *command) why(m *Model) string {
	if c.reason == nil {
		return ""
	}
	return c.reason(m)
}

// keys lists the keys of the command.
func (c *command) keys() string { return strings.Join(c.binding.Keys(), ", ") }

// carryOut executes the command.
func (c *command) carryOut(m *Model) {
	if c.waits {
		m.idle(func() { c.do(m) })
	} else {
		c.do(m)
	}
}

// commands returns all commands. The result must not be modified.
func (m *Model) commands() []command {
	place := [2]bool{m.bench != nil, m.inNumeric()}
	if m.listed[place] == nil {
		m.listed[place] = m.listedAt()
	}
	return m.listed[place]
}

// listedAt builds the list of commands for the current place, see Model.listed.
func (m *Model) listedAt() []command {
	plans := "p"
	var elsewhere []command
	if m.inNumeric() {
		plans = "" // the tab uses the key for numeric plans
	} else if m.bench != nil {
		elsewhere = []command{plansForNumbers("", "masking plans")}
	}
	protect := protectCommands(plans)
	for i := range protect {
		for _, name := range protect[i].methods {
			spec, _ := m.options.Methods.Find(name)
			protect[i].words += " " + strings.ToLower(spec.Title)
		}
	}
	return slices.Concat(m.numericCommands(), protect, methodCommands(m.options.Methods, protect),
		measureCommands(m.options.Measures), historyCommands(), moveCommands(), m.programCommands(), elsewhere)
}

// protectCommands returns the commands that protect; plans is the key of plans for a target k.
func protectCommands(plans string) []command {
	return []command{
		{binding: draw.Bind("r", "recode"), name: "Recode the selected variable", short: true, variable: true,
			numeric: true,
			reason:  noVariable,
			methods: []string{"recode-intervals", "recode-group", "recode-rename"},
			words: "intervals breaks categories levels merge group global recoding rename label order split hierarchy round " +
				"recodes file generalise generalize generalisation generalization bins binning buckets collapse",
			do: func(m *Model) { m.do(views.OpenRecode{Variable: m.bench.selected.Variable}) }},
		{binding: draw.Bind("I", "inspect"),
			name: "Inspect the selected variable: its values, moments, histogram, cross tables", short: true,
			reason: notInspected,
			words:  "distribution quantiles missing codes extremes frequencies density label type",
			do:     func(m *Model) { m.do(views.ShowVariable{Name: m.bench.selected.Variable}) }},
		{binding: draw.Bind("S", "suggest recodes"), name: "Suggest recodes of the key variables",
			reason: nothingToSuggest,
			do:     func(m *Model) { m.openRecodes("") }},
		{binding: draw.Bind("", "suggest recodes of one"), name: "Suggest recodes of the selected key variable",
			reason: noKeySelected,
			do:     func(m *Model) { m.openRecodes(m.bench.selected.Variable) }},
		{binding: draw.Bind(plans, "plans"), name: "Plans: recodes and the remaining suppression for a target k",
			reason: noRisk,
			words:  "frontier search optimise optimize detail information loss cells combinations", do: (*Model).openPlans},
		{binding: draw.Bind("K", "k-anonymity"), name: "Reach k-anonymity by local suppression", short: true, reason: noKeys,
			words:   "blank hide delete remove cells safe disclosure anonymise anonymize suppression",
			methods: []string{"suppress-kanonymity"}, do: opens("suppress-kanonymity")},
		{binding: draw.Bind("R", "suppress above a risk"), name: "Suppress a variable in records above a risk threshold",
			reason: noRisk, methods: []string{"suppress-risk"}, do: opens("suppress-risk")},
		{binding: draw.Bind("P", "PRAM"), name: "PRAM: randomise values of categorical variables", short: true,
			reason:  notOnGroups("pram"),
			words:   "swap perturb randomise randomize randomisation post misclassify matrix",
			methods: []string{"pram"}, do: opens("pram")},
		{binding: draw.Bind("T", "top and bottom coding"), name: "Top- or bottom-code the selected variable",
			words:    "coding outlier outliers tail tails cap censor winsorise winsorize extremes",
			variable: true, numeric: true,
			reason:  first(noOrder, notOnGroups("recode-topbottom")),
			methods: []string{"recode-topbottom"}, do: opens("recode-topbottom")},
	}
}

// opens returns a function that opens the dialog of a method.
func opens(method string) func(m *Model) {
	return func(m *Model) { m.do(views.OpenMethod{Name: method}) }
}

func historyCommands() []command {
	return []command{
		{binding: draw.Bind("u", "undo"), name: "Undo the last step or scenario change", short: true,
			words:  "back revert history",
			reason: unless("there is nothing to undo", func(m *Model) bool { return m.bench.doc.CanUndo() || m.work != nil && m.work.makes }),
			do:     (*Model).undo},
		{binding: draw.Bind("ctrl+r", "redo", "ctrl+r", "U"), name: "Redo what was undone", short: true,
			reason: unless("there is nothing to redo", func(m *Model) bool { return m.bench.doc.CanRedo() }),
			do:     func(m *Model) { m.turn((*session.Session).PrepareRedo) }},
		{binding: draw.Bind("e", "export"), name: "Export: file, release, report, script", short: true,
			words: "save write file replay drop remove leave out hand finish publish", waits: true, do: (*Model).openExport},
		{binding: draw.Bind("V", "scenario"),
			name:  "Scenario: key variables, rule, alpha, k, global risk; named scenarios",
			words: "scenarios rule missing alpha target sensitive threshold", waits: true, do: (*Model).openScenario},
		{binding: draw.Bind("W", "next scenario"), name: "Activate the next scenario",
			reason: unless("there is only one scenario; V adds another", func(m *Model) bool { return m.bench.scenarios > 1 }),
			waits:  true, do: (*Model).nextScenario},
		{binding: draw.Bind("v", "variables"), name: "Variables: change the disclosure scenario",
			words: "roles keys weight household sensitive identifiers remove drop delete leave out",
			waits: true, do: func(m *Model) { m.openVariables(true) }},
		{binding: draw.Bind("", "summary of the file"),
			name:  "Summary of the file: identifiers, duplicates, risk of the suggested key variables, riskiest combinations",
			words: "overview inspect quick facts constant unique households weights", waits: true, do: (*Model).openFacts},
	}
}

func moveCommands() []command {
	all := []command{
		{binding: draw.Bind("i", "explain"), name: "Explain the figures of this pane", short: true,
			reason: unless("this pane has no figure to explain", func(m *Model) bool {
				return len(m.explained()) > 0 || len(glossary.In(m.focused().Title())) > 0
			}),
			do: func(m *Model) { m.open(dialogs.NewExplain(m.explained(), m.terms()...)) }},
		{binding: draw.Bind("z", "zoom"), name: "Zoom this pane to full screen and back",
			do: func(m *Model) { m.bench.zoom = !m.bench.zoom }},
		{binding: draw.Bind("tab", "next pane"), name: "Next pane",
			do: func(m *Model) { m.bench.turn(1) }},
		{binding: draw.Bind("shift+tab", "previous pane"), name: "Previous pane",
			do: func(m *Model) { m.bench.turn(-1) }},
		{binding: draw.Bind("]", "next tab"), name: "Next tab",
			do: func(m *Model) { m.openTab((m.bench.tab + 1) % tabCount) }},
		{binding: draw.Bind("[", "previous tab"), name: "Previous tab",
			do: func(m *Model) { m.openTab((m.bench.tab + tabCount - 1) % tabCount) }},
	}
	for t := tab(0); t < tabCount; t++ {
		number := string(rune('1' + t))
		all = append(all, command{binding: draw.Bind("F"+number, tabs[t].name, "f"+number, "alt+"+number), name: tabs[t].name +
			" tab", words: tabs[t].words,
			do: func(m *Model) { m.openTab(t) }})
	}
	for number := 1; number <= 8; number++ {
		digit := string(rune('0' + number))
		all = append(all, command{binding: draw.Bind(digit, "pane "+digit), name: "Pane " + digit,
			reason: unless("this tab has no pane "+digit, func(m *Model) bool { return number <= len(m.bench.names()) }),
			do:     func(m *Model) { m.bench.drill = nil; m.bench.choose(number) }})
	}
	return all
}

func (m *Model) programCommands() []command {
	return []command{
		{binding: draw.Bind(":", "commands"), name: "Commands: find a command, method or term by name or synonym", short: true, anywhere: true,
			do: (*Model).openPalette},
		{binding: draw.Bind("?", "help"), name: "Keyboard shortcuts that work here; press / to search them", short: true, anywhere: true,
			do: (*Model).openHelp},
		{binding: draw.Bind("C", "lessons"),
			name:  "Lessons: learn disclosure control on a file, or return to a lesson",
			words: "learn teach tour tutorial course", do: (*Model).openLessons},
		{binding: draw.Bind("", "open another"), name: "Open another file" + m.kept("; this session can be resumed later"),
			words: "load read import",
			waits: true, do: (*Model).openAnother},
		{binding: draw.Bind("", "messages"), name: "Messages: all messages of the status line", anywhere: true,
			reason: unless("no messages", func(m *Model) bool { return len(m.notices) > 0 }), do: (*Model).openNotices},
		{binding: draw.Bind("L", "labels"), name: "Labels: show or hide the labels of codes and variables", anywhere: true,
			words: "value labels codes meanings", do: (*Model).toggleLabels},
		{binding: draw.Bind("", "theme"), name: "Theme: dark, light, no colour", anywhere: true, do: (*Model).nextTheme},
		{binding: draw.Bind("", "mouse"), name: "Mouse: release it to the terminal to select text, or capture it again",
			anywhere: true,
			do:       func(m *Model) { m.mouseOff = !m.mouseOff }},
		{binding: draw.Bind("ctrl+z", "suspend"), name: "Suspend the program", anywhere: true,
			do: func(m *Model) { m.run(tea.Suspend) }},
		{binding: draw.Bind("q", "quit", "q", "ctrl+c"), name: "Quit" + m.kept("; the session can be resumed later"), short: true,
			words:    "exit leave close end",
			anywhere: true, do: (*Model).quit},
	}
}

// The reasons why a command cannot be used.

// unless returns a function that returns the reason unless a condition holds.
func unless(reason string, holds func(m *Model) bool) func(m *Model) string {
	return func(m *Model) string {
		if holds(m) {
			return ""
		}
		return reason
	}
}

// first returns a function that returns the first reason that is not empty.
func first(reasons ...func(m *Model) string) func(m *Model) string {
	return func(m *Model) string {
		for _, reason := range reasons {
			if text := reason(m); text != "" {
				return text
			}
		}
		return ""
	}
}

var (
	noKeys     = unless("no key variable is chosen; press v to choose key variables", func(m *Model) bool { return len(m.bench.scenario.Keys) > 0 })
	noVariable = unless("no variable is selected", func(m *Model) bool { return m.bench.selected.Variable != "" })
	// notInspected returns the reason why the selected variable cannot be inspected.
	notInspected = first(noVariable, unless("the variable is being inspected", func(m *Model) bool {
		_, open := m.focused().(*pages.Inspector)
		return !open
	}))
	noRisk = first(noKeys, func(m *Model) string {
		if reason := m.bench.doc.NotApplicable(m.bench.doc.Position()); reason != "" {
			return "the risk is not applicable: " + reason
		}
		return ""
	})
	nothingToSuggest = first(noRisk,
		unless("the violators are not computed yet", func(m *Model) bool { return m.bench.current.Assessment != nil }))
	noKeySelected = first(unless("no key variable is selected", func(m *Model) bool {
		return slices.Contains(m.bench.scenario.Keys, m.bench.selected.Variable)
	}), nothingToSuggest)
	noOrder = first(unless("no variable is selected", func(m *Model) bool { return m.selectedColumn() != nil }),
		func(m *Model) string {
			if column := m.selectedColumn(); !method.OrderedVariables(column, nil) {
				return draw.Label(column.Name()) + ` has no order. Select a numeric variable, or set an order with "Order of categories"`
			}
			return ""
		})
)

// selectedColumn returns the selected variable, or nil.
func (m *Model) selectedColumn() *microdata.Column {
	column, _ := m.bench.doc.Data().Column(m.bench.selected.Variable)
	return column
}

// openTab opens a tab and closes the panes opened over the tab.
func (m *Model) openTab(t tab) {
	m.bench.tab, m.bench.drill = t, nil
}

// toggleLabels shows or hides the labels of codes and variables.
func (m *Model) toggleLabels() {
	m.bare = !m.bare
	m.say(map[bool]string{true: "codes only; L shows their labels",
		false: "codes with their labels"}[m.bare])
}

// nextTheme switches from dark to light to no colour.
func (m *Model) nextTheme() {
	m.options.Theme = dialogs.Ring([]string{"dark", "light", "none"}, m.theme.Name, 1)
	m.dark = m.options.Theme == "dark"
	m.applyTheme()
}

// methodCommands returns a command without a key for every method that none of the others opens, so that all
// methods are in the palette.
func methodCommands(methods method.Catalog, others []command) []command {
	var all []command
	for _, spec := range methods {
		if slices.ContainsFunc(others, func(c command) bool { return slices.Contains(c.methods, spec.Name) }) {
			continue
		}
		all = append(all, command{
			binding: draw.Bind("", spec.Title), name: spec.Title, words: spec.Name, help: spec.Help,
			reason: first(func(m *Model) string { return spec.Refusal(spec.New(), m.bench.scenario) },
				notOnGroups(spec.Name)),
			do: opens(spec.Name),
		})
	}
	return all
}

// otherWords returns the words besides its name that find a command.
func (c *command) otherWords() []string {
	help := strings.FieldsFunc(strings.ToLower(c.help), func(r rune) bool { return !unicode.IsLetter(r) })
	return append(strings.Fields(c.words), slices.DeleteFunc(help, func(word string) bool { return len(word) < 4 })...)
}

// openPalette lists the keys of the current place, then all commands.
func (m *Model) openPalette() {
	var entries []dialogs.PaletteEntry
	place, bindings := "", []key.Binding(nil)
	switch {
	case m.page != nil:
		place, bindings = "This page: ", m.page.Keys()
	case m.bench != nil:
		place, bindings = m.focused().Title()+": ", m.focused().Keys()
	}
	for _, b := range bindings {
		if slices.Contains(b.Keys(), b.Help().Key) { // keys that move the cursor are not commands
			entries = append(entries, dialogs.PaletteEntry{Name: place + b.Help().Desc, Keys: b.Help().Key,
				Command: func() { m.key(draw.Press(b.Help().Key)) }})
		}
	}
	for _, c := range m.commands() {
		if m.page != nil && !c.anywhere {
			continue
		}
		entries = append(entries, dialogs.PaletteEntry{Name: c.name, Keys: c.binding.Help().Key, Reason: c.why(m),
			Words: c.otherWords(), Related: dialogs.Synonyms(c.name), Command: func() { c.carryOut(m) }})
	}
	entries = append(entries, m.termEntries()...)
	m.rememberChosen(entries)
	m.dialog = dialogs.NewPalette("", entries)
}

// rememberChosen puts the recently chosen commands first, and remembers the next choice.
func (m *Model) rememberChosen(entries []dialogs.PaletteEntry) {
	for i, entry := range entries {
		if at := slices.Index(m.chosen, entry.Name); at >= 0 {
			entries[i].Recent = len(m.chosen) - at
		}
		entries[i].Command = func() {
			const most = 8
			m.chosen = slices.DeleteFunc(m.chosen, func(name string) bool { return name == entry.Name })
			m.chosen = slices.Insert(m.chosen, 0, entry.Name)
			m.chosen = m.chosen[:min(most, len(m.chosen))]
			entry.Command()
		}
	}
}

// openHelp lists the keys of the current place.
func (m *Model) openHelp() {
	if d, ok := m.dialog.(dialogs.HelpPage); ok {
		if page := d.Page(); page != nil {
			m.cover(page)
			return
		}
	}
	var lines []dialogs.ListLine
	switch {
	case m.covers():
		lines = append(dialogs.ListKeys(m.dialog.Title(), append(slices.Clone(m.dialog.Keys()), dialogs.KeyLabels)),
			dialogs.ListLine{Key: "ctrl+c", Text: "Quit" + m.kept("; the session can be resumed later")})
	case m.page != nil:
		lines = append(dialogs.ListKeys("This page", m.page.Keys()), dialogs.ListLine{Key: "esc", Text: "Go back"})
		lines = append(lines, m.listCommands(func(c *command) bool { return c.anywhere })...)
	default:
		if m.inLesson() {
			lines = dialogs.ListKeys(m.dialog.Title(), m.dialog.Keys())
		}
		lines = append(append(lines, dialogs.ListKeys(m.focused().Title()+" pane", m.focused().Keys())...),
			m.listCommands(func(*command) bool { return true })...)
		lines = append(lines,
			dialogs.ListLine{Key: "esc", Text: "Cancel the running task, or close the dialog, drill-down or zoom"})
	}
	m.cover(dialogs.NewList("Keyboard shortcuts", lines))
}

// listCommands lists the wanted commands, with the reason if one cannot be used now.
func (m *Model) listCommands(wanted func(c *command) bool) []dialogs.ListLine {
	lines := []dialogs.ListLine{{Text: "All panes"}}
	for _, c := range m.commands() {
		if keys := c.keys(); keys != "" && wanted(&c) {
			text := c.name
			if reason := c.why(m); reason != "" {
				text += " (unavailable: " + reason + ")"
			}
			lines = append(lines, dialogs.ListLine{Key: keys, Text: text, Words: c.otherWords()})
		}
	}
	return lines
}

// openNotices lists the messages of the status line, the latest first.
func (m *Model) openNotices() {
	var lines []dialogs.ListLine
	for _, n := range slices.Backward(m.notices) {
		lines = append(lines, dialogs.ListLine{Key: n.at.Local().Format("15:04:05"), Text: n.text})
	}
	m.dialog = dialogs.NewList("Messages", lines)
}
