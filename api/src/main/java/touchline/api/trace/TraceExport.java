package touchline.api.trace;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes spans to the exporter and reports its failures in the log: at most one line a minute, and
 * one when spans are accepted again. Any thread.
 */
final class TraceExport implements SpanExporter {
    private static final Logger log = LoggerFactory.getLogger(TraceExport.class);
    private static final long PAUSE_NS = TimeUnit.MINUTES.toNanos(1);

    private final SpanExporter exporter;
    private final String receiver;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private long lost;

    @GuardedBy("lock")
    private long nextLineNs;

    /** Whether the log says that spans are lost. */
    @GuardedBy("lock")
    private boolean reported;

    /**
     * @param exporter shut down with this
     * @param receiver host and port, as shown in the log
     */
    TraceExport(SpanExporter exporter, String receiver, LongSupplier nanoTime) {
        this.exporter = exporter;
        this.receiver = receiver;
        this.nanoTime = nanoTime;
        this.nextLineNs = nanoTime.getAsLong();
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        int count = spans.size();
        CompletableResultCode result = exporter.export(spans);
        return result.whenComplete(() -> ended(result, count));
    }

    private void ended(CompletableResultCode result, int count) {
        lock.lock();
        try {
            if (result.isSuccess()) {
                if (reported) {
                    log.info("traces: {} accepts spans again; {} were lost", receiver, lost);
                    lost = 0;
                }
                reported = false;
                return;
            }
            lost += count;
            long nowNs = nanoTime.getAsLong();
            if (nowNs - nextLineNs >= 0) {
                nextLineNs = nowNs + PAUSE_NS;
                reported = true;
                log.warn(
                        "traces: {} does not accept spans ({} lost so far): {}",
                        receiver,
                        lost,
                        reason(result.getFailureThrowable()));
            }
        } finally {
            lock.unlock();
        }
    }

    private static String reason(@Nullable Throwable failure) {
        if (failure == null) {
            return "no answer in time";
        }
        Throwable root = failure;
        for (Throwable next = root; next != null; next = next.getCause()) {
            root = next;
        }
        return root.toString();
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
