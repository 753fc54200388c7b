package minimal

// progress maps the progress of each stage to the progress of the whole, out of progressTotal.
type progress struct {
	report   func(done, total int64)
	from, to int64
}

// progressTotal is the total that progress is reported of.
const progressTotal = 1000

// newProgress reports to the given function, which may be nil.
func newProgress(report func(done, total int64)) *progress {
	if report == nil {
		report = func(int64, int64) {}
	}
	return &progress{report: report}
}

// stage starts a stage that ends at the given part of the whole.
func (p *progress) stage(end int64) *progress {
	p.from, p.to = p.to, end
	p.report(p.from, progressTotal)
	return p
}

// at reports the progress of the stage.
func (p *progress) at(done, total int64) {
	if total > 0 {
		p.report(p.from+(p.to-p.from)*min(done, total)/total, progressTotal)
	}
}

// finish reports that all work is done.
func (p *progress) finish() { p.report(progressTotal, progressTotal) }
