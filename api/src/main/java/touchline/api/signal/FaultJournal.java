package touchline.api.signal;

import touchline.media.hub.IngestReport;
import touchline.media.hub.LiveStream;

/** Stores faults of signals with their events. Any thread; does not block. */
@FunctionalInterface
public interface FaultJournal {
    /**
     * A fault has begun, or has ended.
     *
     * @param occurrence with its end if it has one
     */
    void fault(LiveStream session, IngestReport.Warning occurrence);
}
