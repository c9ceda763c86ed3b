package touchline.api.vod;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts tasks and notifications since the start of the server. Any thread. */
public final class TranscodingCounters {
    private final LongAdder succeeded = new LongAdder();
    private final ConcurrentHashMap<Integer, LongAdder> failed = new ConcurrentHashMap<>();
    private final LongAdder noticesDelivered = new LongAdder();
    private final LongAdder noticesFailed = new LongAdder();

    void succeeded() {
        succeeded.increment();
    }

    void failed(int code) {
        failed.computeIfAbsent(code, _ -> new LongAdder()).increment();
    }

    void noticeDelivered() {
        noticesDelivered.increment();
    }

    void noticeFailed() {
        noticesFailed.increment();
    }

    public long successes() {
        return succeeded.sum();
    }

    /** Failures by error code. */
    public Map<Integer, Long> failures() {
        Map<Integer, Long> sums = new TreeMap<>();
        failed.forEach((code, count) -> sums.put(code, count.sum()));
        return sums;
    }

    public long deliveredNotices() {
        return noticesDelivered.sum();
    }

    public long failedNotices() {
        return noticesFailed.sum();
    }
}
