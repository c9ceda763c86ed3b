package touchline.benchmarks.charts;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/**
 * Horizontal bars in groups, as an SVG that is readable on light and dark pages. Immutable.
 *
 * @param file name of the SVG file
 * @param title what is compared
 * @param unit of the values, and which direction is better
 * @param source command and conditions of the measurement
 * @param date of the measurement, as in 2026-11-22
 */
record BarChart(
        String file, String title, String unit, String source, String date, List<Group> groups) {
    private static final int WIDTH = 720;
    private static final int MARGIN = 16;
    private static final int LINE = 20;
    private static final int BAR = 14;
    private static final int BARS_X = 250;
    private static final int VALUE_WIDTH = 90;
    private static final int HEAD = MARGIN + 2 * LINE + 8;

    private static final String STYLE =
            """
            <style>
            .page { fill: #ffffff; stroke: #d0d7de }
            text { font: 13px system-ui, sans-serif; fill: #1f2328 }
            .title { font-weight: 600; font-size: 15px }
            .group { font-weight: 600 }
            .small { fill: #59636e; font-size: 12px }
            .own { fill: #0969da }
            .other { fill: #8c959f }
            @media (prefers-color-scheme: dark) {
            .page { fill: #0d1117; stroke: #3d444d }
            text { fill: #e6edf3 }
            .small { fill: #9198a1 }
            .own { fill: #4493f8 }
            .other { fill: #656c76 }
            }
            </style>
            """;

    /**
     * @param label empty for bars without a heading
     */
    record Group(String label, List<Bar> bars) {
        Group {
            bars = List.copyOf(bars);
        }
    }

    /**
     * @param own whether the value is that of this project
     */
    record Bar(String label, BigDecimal value, boolean own) {}

    BarChart {
        groups = List.copyOf(groups);
    }

    String svg() {
        StringBuilder body = new StringBuilder();
        int y = HEAD;
        for (Group group : groups) {
            if (!group.label().isEmpty()) {
                text(body, "group", MARGIN, y + BAR, group.label());
                y += LINE;
            }
            for (Bar bar : group.bars()) {
                bar(body, y, bar);
                y += LINE;
            }
            y += LINE / 2;
        }
        text(body, "small", MARGIN, y + BAR, "%s, measured %s".formatted(source, date));
        int height = y + LINE + MARGIN / 2;
        StringBuilder svg = new StringBuilder();
        svg.append(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\" role=\"img\">\n"
                        .formatted(WIDTH, height));
        svg.append("<title>%s</title>\n".formatted(escaped(title + ": " + unit))).append(STYLE);
        svg.append(
                "<rect class=\"page\" x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n"
                        .formatted(WIDTH - 1, height - 1));
        text(svg, "title", MARGIN, MARGIN + BAR, title);
        text(svg, "small", MARGIN, MARGIN + LINE + BAR, unit);
        return svg.append(body).append("</svg>\n").toString();
    }

    private void bar(StringBuilder to, int y, Bar bar) {
        double largest =
                groups.stream()
                        .flatMap(group -> group.bars().stream())
                        .mapToDouble(each -> each.value().doubleValue())
                        .max()
                        .orElse(1);
        double share = largest > 0 ? bar.value().doubleValue() / largest : 0;
        int width = (int) Math.max(1, share * (WIDTH - MARGIN - VALUE_WIDTH - BARS_X));
        text(to, "label", MARGIN, y + BAR - 2, bar.label());
        to.append(
                "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"2\"/>\n"
                        .formatted(bar.own() ? "own" : "other", BARS_X, y, width, BAR));
        String value = String.format(Locale.ROOT, "%,." + bar.value().scale() + "f", bar.value());
        text(to, "value", BARS_X + width + 8, y + BAR - 2, value);
    }

    private static void text(StringBuilder to, String style, int x, int y, String text) {
        to.append(
                "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n"
                        .formatted(style, x, y, escaped(text)));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
