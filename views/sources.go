package views

// The publications that figures come from.
const (
	sourceGuide   = "SDC practice guide, Measuring risk"
	sourceTempl   = "Templ 2017, Statistical Disclosure Control for Microdata"
	sourceHundep  = "Hundepool et al. 2012, Statistical Disclosure Control"
	sourceFranc   = "Franconi and Polettini 2004"
	sourcePRAM    = "Gouweleeuw, Kooiman, Willenborg and de Wolf 1998, Journal of Official Statistics 14"
	sourceSwee    = "Samarati and Sweeney 1998"
	sourceRiskAll = sourceFranc + "; " + sourceHundep + ", section 3.3"
)
