package touchline.media.ffmpeg;

import java.time.Duration;
import java.util.List;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVIOContext;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avformat;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Track;

/**
 * Publishes H.264 and AAC over a real RTMP connection (FFmpeg's flv muxer and rtmp protocol), like
 * an encoder. The caller reconnects after a failure. One owner thread, a platform thread, which may
 * wait for the network up to the target's timeout. {@link #stop} may be called on any thread and
 * ends such a wait at once.
 */
public final class RtmpPush implements AutoCloseable {
    /** Time of the first unit, so that slightly earlier audio has no negative time. */
    private static final long LEAD_US = 100_000;

    private static final int US_PER_SECOND = 1_000_000;

    private final PushTarget target;
    private final List<Track> tracks;
    private final Interrupt interrupt;
    private final AVFormatContext context;
    private final AVPacket packet;

    private @Nullable AVIOContext connection;
    private boolean headerWritten;
    private boolean failed;
    private long originUs = Long.MIN_VALUE;
    private boolean closed;

    private RtmpPush(PushTarget target, List<Track> tracks, Interrupt interrupt) {
        this.target = target;
        this.tracks = List.copyOf(tracks);
        this.interrupt = interrupt;
        this.context = new AVFormatContext(null);
        int code = avformat.avformat_alloc_output_context2(context, null, "flv", null);
        Ffmpeg.check(code, "avformat_alloc_output_context2");
        this.packet = avcodec.av_packet_alloc();
    }

    /**
     * Connects and publishes; returns after the server sends {@code NetStream.Publish.Start}.
     *
     * @param tracks video, audio or both
     * @param handle receives the push before the first wait, so that another thread can stop it
     * @throws FfmpegException not connected, rejected, or stopped
     */
    public static RtmpPush open(
            PushTarget target, List<Track> tracks, java.util.function.Consumer<Stopper> handle) {
        Ffmpeg.load();
        Interrupt interrupt = new Interrupt();
        handle.accept(interrupt::stop);
        RtmpPush push = new RtmpPush(target, tracks, interrupt);
        FfmpegLog.mask(target.streamKey());
        try {
            push.connect();
            return push;
        } catch (RuntimeException e) {
            push.close();
            throw e;
        }
    }

    /** Lets another thread end a wait of the push. */
    @FunctionalInterface
    public interface Stopper {
        void stop();
    }

    private void connect() {
        for (Track track : tracks) {
            addStream(track);
        }
        context.max_delay(0);
        context.flags(context.flags() | AVFormatContext.AVFMT_FLAG_FLUSH_PACKETS);
        interrupt.allow(target.timeout());
        AVIOContext opened = new AVIOContext(null);
        try (AVDictionary options = new AVDictionary(null)) {
            // The key is passed as an option, so that no URL contains it.
            avutil.av_dict_set(options, "rtmp_playpath", target.streamKey(), 0);
            avutil.av_dict_set(options, "tcp_nodelay", "1", 0);
            int code =
                    avformat.avio_open2(
                            opened,
                            target.server().toString(),
                            avformat.AVIO_FLAG_WRITE,
                            context.interrupt_callback().callback(interrupt),
                            options);
            avutil.av_dict_free(options);
            Ffmpeg.check(code, "avio_open2");
        }
        connection = opened;
        context.pb(opened);
        try (AVDictionary options = new AVDictionary(null)) {
            avutil.av_dict_set(options, "flvflags", "no_duration_filesize", 0);
            int code = avformat.avformat_write_header(context, options);
            avutil.av_dict_free(options);
            Ffmpeg.check(code, "avformat_write_header");
        }
        headerWritten = true;
    }

    /**
     * Sends a unit.
     *
     * @param unit of one of the tracks, in decode order; tracks are interleaved as closely as
     *     possible
     * @throws FfmpegException the connection is lost, slower than the timeout, or stopped
     */
    public void write(AccessUnit unit) {
        int index = tracks.indexOf(unit.track());
        if (index < 0) {
            throw new IllegalArgumentException("unit of a track that was not announced");
        }
        long dtsUs = unit.dtsUs();
        if (originUs == Long.MIN_VALUE) {
            originUs = dtsUs - LEAD_US;
        }
        NativeMemory.fill(packet, unit.payload());
        packet.stream_index(index).flags(unit.idr() ? avcodec.AV_PKT_FLAG_KEY : 0);
        packet.dts(dtsUs - originUs).pts(unit.ptsUs() - originUs);
        try (AVRational us = new AVRational()) {
            avcodec.av_packet_rescale_ts(
                    packet, us.num(1).den(US_PER_SECOND), context.streams(index).time_base());
        }
        interrupt.allow(target.timeout());
        int code = avformat.av_write_frame(context, packet);
        avcodec.av_packet_unref(packet);
        if (code < 0) {
            failed = true;
        }
        Ffmpeg.check(code, "av_write_frame");
    }

    /** Ends the current wait; every later call fails. Any thread. */
    public void stop() {
        interrupt.stop();
    }

    private void addStream(Track track) {
        AVStream stream = avformat.avformat_new_stream(context, null);
        if (stream == null) {
            throw Ffmpeg.missing("avformat_new_stream");
        }
        AVCodecParameters parameters = stream.codecpar();
        switch (track.codec()) {
            case CodecConfig.Avc(var config) -> {
                parameters.codec_type(avutil.AVMEDIA_TYPE_VIDEO);
                parameters.codec_id(avcodec.AV_CODEC_ID_H264);
                parameters.width(config.width()).height(config.height());
                NativeMemory.setExtradata(parameters, config.bytes());
            }
            case CodecConfig.Aac(var config) -> {
                parameters.codec_type(avutil.AVMEDIA_TYPE_AUDIO);
                parameters.codec_id(avcodec.AV_CODEC_ID_AAC);
                parameters.sample_rate(config.sampleRateHz());
                parameters.frame_size(config.samplesPerFrame());
                avutil.av_channel_layout_default(parameters.ch_layout(), config.channels());
                NativeMemory.setExtradata(parameters, config.bytes());
            }
            case CodecConfig.Hevc _, CodecConfig.Av1 _, CodecConfig.Opus _, CodecConfig.Mp3 _ ->
                    throw new IllegalArgumentException(
                            "codec: " + track.codec().rfc6381() + " (expected: H.264 or AAC)");
        }
    }

    /** Ends the RTMP session if the connection is open, within 500 ms. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        interrupt.allow(Duration.ofMillis(500));
        if (headerWritten && !failed && !interrupt.isStopped()) {
            int code = avformat.av_write_trailer(context);
            failed = code < 0;
        }
        if (connection != null) {
            // The server may have closed the connection first: there is nothing to send.
            avformat.avio_close(connection);
            connection = null;
            context.pb((AVIOContext) null);
        }
        avcodec.av_packet_free(packet);
        avformat.avformat_free_context(context);
        interrupt.close();
        FfmpegLog.unmask(target.streamKey());
    }
}
