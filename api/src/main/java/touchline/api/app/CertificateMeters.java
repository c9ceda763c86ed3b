package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import touchline.api.certificate.Certificates;
import touchline.api.certificate.RenewalCounters;
import touchline.config.TlsConfig;

/** Metrics of the certificate; none without TLS. */
final class CertificateMeters {
    private CertificateMeters() {}

    static void bind(MeterRegistry registry, Certificates certificates, TlsConfig config) {
        if (certificates.current().isEmpty()) {
            return;
        }
        end(registry, certificates, "api");
        end(registry, certificates, "playback");
        if (config.rtmpsPort().isPresent()) {
            end(registry, certificates, "rtmps");
        }
        RenewalCounters counters = certificates.counters();
        renewals(registry, counters, "succeeded");
        renewals(registry, counters, "failed");
        Gauge.builder(
                        "touchline.certificate.renewal.ok",
                        counters,
                        each -> each.hasSucceeded() ? 1 : 0)
                .description("1 if the last replacement of the certificate succeeded, else 0")
                .register(registry);
    }

    private static void end(MeterRegistry registry, Certificates certificates, String listener) {
        Gauge.builder(
                        "touchline.certificate.end",
                        certificates,
                        each ->
                                each.status()
                                        .map(status -> (double) status.notAfter().getEpochSecond())
                                        .orElse(Double.NaN))
                .description("When the certificate of new handshakes ends, in Unix time")
                .baseUnit("seconds")
                .tag("listener", listener)
                .register(registry);
    }

    private static void renewals(MeterRegistry registry, RenewalCounters counters, String result) {
        FunctionCounter.builder(
                        "touchline.certificate.renewals",
                        counters,
                        each -> result.equals("failed") ? each.failures() : each.successes())
                .description("Replacements of the certificate since the start")
                .tag("result", result)
                .register(registry);
    }
}
