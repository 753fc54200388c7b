// Package numeric has the panes of the tab Numeric: summaries, distributions, scatter plots, correlations, groups
// and risk of numeric variables. Curve, TradeMap and Masking are pictures for dialogs.
package numeric
