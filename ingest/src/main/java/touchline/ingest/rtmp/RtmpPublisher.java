package touchline.ingest.rtmp;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.ingest.flv.FlvDemuxer;
import touchline.ingest.flv.UnsupportedCodecException;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.codec.MalformedMediaException;
import touchline.media.concurrent.LogContext;
import touchline.media.hub.Publication;
import touchline.media.hub.PublishRequest;
import touchline.media.hub.Role;
import touchline.media.hub.TrackNumber;

/**
 * One admitted publisher: passes its media from messages to its {@link Publication}. Drops and
 * counts broken messages; {@link #MAX_BROKEN_IN_A_ROW} in a row end the connection. The
 * connection's event loop.
 */
final class RtmpPublisher implements PublishedMedia {
    private static final Logger log = LoggerFactory.getLogger(RtmpPublisher.class);

    static final int MAX_BROKEN_IN_A_ROW = 100;

    private static final long REPORT_INTERVAL_NS = 1_000_000_000;

    private final PublishRequest request;
    private final Publication publication;
    private final RtmpCounters counters;
    private final FlvDemuxer demuxer;
    private final PublishAdmission admission;

    /** Newest configuration of each further track, and whether it is admitted. */
    private final Map<TrackNumber, Track> furtherTracks = new HashMap<>();

    private final Set<TrackNumber> refusedTracks = new HashSet<>();

    private String encoder = "";
    private long bytes;
    private long messages;
    private long brokenMessages;
    private int brokenInARow;
    private long brokenReportedNs;
    private boolean closed;

    /**
     * @param publication owned: closed with this publisher
     * @param admission checks the codecs
     * @param nowNs of the event loop's ticker
     */
    RtmpPublisher(
            PublishRequest request,
            Publication publication,
            RtmpCounters counters,
            PublishAdmission admission,
            long nowNs) {
        this.request = request;
        this.publication = publication;
        this.counters = counters;
        this.admission = admission;
        this.brokenReportedNs = nowNs - REPORT_INTERVAL_NS;
        this.demuxer =
                new FlvDemuxer(
                        new FlvDemuxer.Output() {
                            @Override
                            public void begin(List<Track> tracks) {
                                admission.check(request.role(), tracks);
                                publication.begin(tracks);
                            }

                            @Override
                            public void write(AccessUnit unit) {
                                publication.write(unit);
                            }

                            @Override
                            public void further(TrackNumber number, AccessUnit unit) {
                                writeFurther(number, unit);
                            }

                            @Override
                            public void refused(TrackNumber number, String reason) {
                                publication.refusedFurther(number, reason);
                            }
                        });
        counters.publisherStarted();
        log.info(
                "stream={} session={} role={} publisher=\"{}\" publishing",
                request.stream(),
                publication.session(),
                request.role(),
                request.publisher());
    }

    @Override
    public void data(RtmpMessage.Data message) {
        OnMetaData.of(message).ifPresent(this::metadata);
    }

    private void metadata(OnMetaData metadata) {
        encoder = metadata.encoder();
        demuxer.expect(metadata.video(), metadata.audio());
        if (!metadata.labels().isEmpty()) {
            publication.describe(metadata.labels());
        }
    }

    /** A scoreboard stream is decoded: it has its first tracks only. */
    private void writeFurther(TrackNumber number, AccessUnit unit) {
        if (request.role() == Role.MAIN && isAdmitted(number, unit.track())) {
            publication.writeFurther(number, unit);
        }
    }

    private boolean isAdmitted(TrackNumber number, Track track) {
        if (!track.equals(furtherTracks.put(number, track))) {
            try {
                admission.check(request.role(), List.of(track));
                refusedTracks.remove(number);
            } catch (UnsupportedCodecException e) {
                if (refusedTracks.add(number)) {
                    publication.refusedFurther(number, e.codecName() + " is not supported");
                }
            }
        }
        return !refusedTracks.contains(number);
    }

    @Override
    public void video(RtmpMessage.Video message, long nowNs) {
        count(message.payload());
        try {
            demuxer.video(message.timestampMs(), message.payload());
            brokenInARow = 0;
        } catch (MalformedMediaException e) {
            broken(e, nowNs);
        }
    }

    @Override
    public void audio(RtmpMessage.Audio message, long nowNs) {
        count(message.payload());
        try {
            demuxer.audio(message.timestampMs(), message.payload());
            brokenInARow = 0;
        } catch (MalformedMediaException e) {
            broken(e, nowNs);
        }
    }

    /** Wakes the readers. */
    @Override
    public void flush() {
        publication.flush();
    }

    @Override
    public long aheadUs() {
        return publication.aheadUs();
    }

    /** Whether it is ahead of real time and of its readers. */
    @Override
    public boolean isTooFast() {
        return publication.isTooFast();
    }

    /**
     * Leaves the session, which waits for the encoder until its reconnect window ends.
     *
     * @param reason for the log; no secrets
     */
    @Override
    public void close(String reason) {
        if (closed) {
            return;
        }
        closed = true;
        publication.close();
        counters.publisherGone();
        counters.dropped(demuxer.droppedUnits());
        log.info(
                "stream={} session={} role={} publisher=\"{}\" encoder=\"{}\" gone ({}): {} messages, {} bytes,"
                        + " {} without configuration, {} broken",
                request.stream(),
                publication.session(),
                request.role(),
                request.publisher(),
                ClientText.escaped(encoder),
                reason,
                messages,
                bytes,
                demuxer.droppedUnits(),
                brokenMessages);
    }

    /** Logs about this publisher's session. */
    @Override
    public void log(Runnable line) {
        LogContext.session(request.stream(), publication.session(), line).run();
    }

    private void count(MemorySegment payload) {
        messages++;
        bytes += payload.byteSize();
    }

    private void broken(MalformedMediaException cause, long nowNs) {
        brokenMessages++;
        brokenInARow++;
        if (cause instanceof DecodingRefusedException refused) {
            publication.refused(refused);
        }
        if (brokenInARow >= MAX_BROKEN_IN_A_ROW) {
            throw cause;
        }
        if (nowNs - brokenReportedNs >= REPORT_INTERVAL_NS) {
            brokenReportedNs = nowNs;
            log.info(
                    "stream={} session={} role={} broken media dropped, {} messages so far: {}",
                    request.stream(),
                    publication.session(),
                    request.role(),
                    brokenMessages,
                    cause.getMessage());
        }
    }
}
