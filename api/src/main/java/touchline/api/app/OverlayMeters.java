package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import touchline.overlay.CompositorCounters;
import touchline.overlay.CompositorCounters.Stage;
import touchline.overlay.page.PageRenderer;

/** Metrics of compositors. */
final class OverlayMeters {
    private static final double NS_PER_SECOND = 1e9;

    private OverlayMeters() {}

    static void bind(MeterRegistry registry, CompositorCounters counters, PageRenderer renderer) {
        browser(registry, renderer);
        Gauge.builder("touchline.overlay.compositors", counters, CompositorCounters::running)
                .description("Sessions with composited frames")
                .register(registry);
        counter(
                registry,
                counters,
                "touchline.overlay.frames",
                "Frames composited and encoded",
                CompositorCounters::frames);
        counter(
                registry,
                counters,
                "touchline.overlay.blended",
                "Frames with an overlay drawn",
                CompositorCounters::blended);
        counter(
                registry,
                counters,
                "touchline.overlay.dropped",
                "Frames dropped because of overload",
                CompositorCounters::dropped);
        counter(
                registry,
                counters,
                "touchline.overlay.broken",
                "Coded frames that could not be decoded",
                CompositorCounters::brokenUnits);
        counter(
                registry,
                counters,
                "touchline.overlay.failures",
                "Compositors that failed",
                CompositorCounters::failures);
        for (Stage stage : Stage.values()) {
            FunctionCounter.builder(
                            "touchline.overlay.seconds",
                            counters,
                            each -> each.nanos(stage) / NS_PER_SECOND)
                    .description("Time spent on frames by stage")
                    .tag("stage", stage.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }

    private static void browser(MeterRegistry registry, PageRenderer renderer) {
        FunctionCounter.builder(
                        "touchline.overlay.browser.starts", renderer, PageRenderer::browserStarts)
                .description("Starts of the browser for html scoreboards")
                .register(registry);
        FunctionCounter.builder(
                        "touchline.overlay.browser.crashes", renderer, PageRenderer::browserCrashes)
                .description("Browsers that ended while pages needed them, or did not start")
                .register(registry);
    }

    private static void counter(
            MeterRegistry registry,
            CompositorCounters counters,
            String name,
            String description,
            ToDoubleFunction<CompositorCounters> value) {
        FunctionCounter.builder(name, counters, value).description(description).register(registry);
    }
}
