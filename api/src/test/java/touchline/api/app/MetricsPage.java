package touchline.api.app;

import java.util.stream.DoubleStream;

/**
 * What {@code /observe/metrics} answers.
 *
 * @param text in the format of Prometheus
 */
record MetricsPage(String text) {
    /**
     * The value of a series.
     *
     * @param series name of the metric, with all labels where it has any
     */
    double value(String series) {
        return values(series + " ")
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + series + " in " + text));
    }

    /** The sum over all labels of a metric; 0 as long as it has no series. */
    double sum(String name) {
        return DoubleStream.concat(values(name + " "), values(name + "{")).sum();
    }

    private DoubleStream values(String start) {
        return text.lines()
                .filter(line -> line.startsWith(start))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))));
    }
}
