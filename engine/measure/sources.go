package measure

// The sources of figures.
const (
	SourceGuide   = "SDC Practice Guide, Measuring risk"
	SourceTempl   = "Templ 2017, Statistical Disclosure Control for Microdata"
	SourceHundep  = "Hundepool et al. 2012, Statistical Disclosure Control"
	SourceFranc   = "Franconi and Polettini 2004"
	SourcePRAM    = "Gouweleeuw, Kooiman, Willenborg and de Wolf 1998, Journal of Official Statistics 14"
	SourceSwee    = "Samarati and Sweeney 1998"
	SourceRiskAll = SourceFranc + "; " + SourceHundep + ", section 3.3"
)
