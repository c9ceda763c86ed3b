package touchline.api.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.testing.LogLines;

/** What the log says of a receiver that does not work. */
final class TraceExportTest {
    private final LogLines lines = LogLines.of(TraceExport.class);
    private long nowNs = 7;
    private CompletableResultCode next = CompletableResultCode.ofSuccess();

    private final TraceExport export =
            new TraceExport(
                    new SpanExporter() {
                        @Override
                        public CompletableResultCode export(Collection<SpanData> spans) {
                            return next;
                        }

                        @Override
                        public CompletableResultCode flush() {
                            return CompletableResultCode.ofSuccess();
                        }

                        @Override
                        public CompletableResultCode shutdown() {
                            return CompletableResultCode.ofSuccess();
                        }
                    },
                    "collector:4318",
                    () -> nowNs);

    @AfterEach
    void leave() {
        lines.close();
    }

    private void export(CompletableResultCode result) {
        next = result;
        assertEquals(result.isSuccess(), export.export(List.of()).isSuccess());
    }

    private static CompletableResultCode failure() {
        return CompletableResultCode.ofExceptionalFailure(new IOException("refused"));
    }

    @Test
    void failures_areLoggedOnceAMinute() {
        for (int second = 0; second < 120; second++) {
            export(failure());
            nowNs += TimeUnit.SECONDS.toNanos(1);
        }

        assertEquals(2, lines.texts().size());
        String line = lines.texts().getFirst();
        assertTrue(line.startsWith("traces: collector:4318 does not accept spans"), line);
        assertTrue(line.endsWith("java.io.IOException: refused"), line);
    }

    @Test
    void receiverThatComesAndGoes_isLoggedOnceAMinute() {
        for (int second = 0; second < 60; second++) {
            export(second % 2 == 0 ? failure() : CompletableResultCode.ofSuccess());
            nowNs += TimeUnit.SECONDS.toNanos(1);
        }

        assertEquals(
                List.of(
                        "traces: collector:4318 does not accept spans (0 lost so far):"
                                + " java.io.IOException: refused",
                        "traces: collector:4318 accepts spans again; 0 were lost"),
                lines.texts());
    }

    @Test
    void successes_areNotLogged() {
        export(CompletableResultCode.ofSuccess());

        assertEquals(List.of(), lines.texts());
    }
}
