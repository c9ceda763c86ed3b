package touchline.media.ffmpeg;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.media.codec.VideoSequence;

/**
 * Decodes access units of one video track to YUV 4:2:0 frames, 8 bits per sample; other formats are
 * converted. Input is in decode order, output in presentation order. A decoder on the {@link Gpu}
 * may leave frames in its memory. One owner thread, a platform thread.
 */
public final class VideoDecoder implements AutoCloseable {
    /** Frames that the decoder may skip, to save time. */
    public enum Skip {
        NOTHING(avcodec.AVDISCARD_DEFAULT),
        /** Skips frames that no other frame references. */
        NON_REFERENCE(avcodec.AVDISCARD_NONREF),
        NON_KEY(avcodec.AVDISCARD_NONKEY);

        private final int level;

        Skip(int level) {
            this.level = level;
        }
    }

    /** Where decoding happens, and where frames go. */
    private enum Place {
        PROCESSOR,
        /** On the GPU; frames are copied to main memory. */
        COPIED,
        /** On the GPU; frames stay in its memory. */
        GPU
    }

    private final Track track;
    private final CodecContext decoder;
    private final DecoderAdmission admission;
    private final Place place;

    private final GpuDownload download = new GpuDownload();
    private @Nullable FrameConverter converter;
    private boolean drained;

    private VideoDecoder(
            Track track, CodecContext decoder, DecoderAdmission admission, Place place) {
        this.track = track;
        this.decoder = decoder;
        this.admission = admission;
        this.place = place;
    }

    /**
     * The caller closes it.
     *
     * @param threads 1 to 16; each thread above 1 adds a delay of one frame
     * @throws MalformedMediaException the track's configuration is invalid
     * @throws touchline.media.codec.DecodingRefusedException its frames are too large, or the
     *     memory for decoders is used up ({@link DecoderMemory})
     */
    public static VideoDecoder open(Track track, int threads) {
        if (threads < 1 || threads > 16) {
            throw new IllegalArgumentException("threads: " + threads + " (1..16)");
        }
        return open(track, decoderName(track.codec()), threads, Place.PROCESSOR);
    }

    /**
     * Opens a decoder on the GPU (NVIDIA's NVDEC), if this host has one that decodes this track and
     * scales its frames. The caller closes it.
     *
     * @param keepsFrames whether frames stay in the memory of the GPU; else they are copied
     */
    public static Optional<VideoDecoder> openOnGpu(Track track, boolean keepsFrames) {
        if (!Gpu.scales()
                || !track.codec().sequences().stream().allMatch(each -> onGpu(track, each))) {
            return Optional.empty();
        }
        // FFmpeg's own decoder of AV1 needs a GPU; the one for software is another.
        boolean av1 = track.codec() instanceof CodecConfig.Av1;
        String name = av1 ? "av1" : decoderName(track.codec());
        try {
            return Optional.of(
                    open(track, name, /* threads= */ 1, keepsFrames ? Place.GPU : Place.COPIED));
        } catch (FfmpegException | MalformedMediaException _) {
            return Optional.empty();
        }
    }

    /**
     * What each GPU of the last ten years decodes. FFmpeg would decode the rest in software, with
     * one thread.
     */
    private static boolean onGpu(Track track, VideoSequence sequence) {
        int bits = track.codec() instanceof CodecConfig.Avc ? 8 : 10;
        return sequence.chromaFormatIdc() == 1 && sequence.bitDepth() <= bits;
    }

    private static VideoDecoder open(Track track, String decoderName, int threads, Place place) {
        DecoderAdmission admission = DecoderAdmission.of(track, threads);
        try {
            CodecContext decoder = context(track, decoderName, threads, place);
            return new VideoDecoder(track, decoder, admission, place);
        } catch (RuntimeException e) {
            admission.close();
            throw e;
        }
    }

    private static CodecContext context(Track track, String decoderName, int threads, Place place) {
        CodecContext decoder = CodecContext.decoder(decoderName);
        try {
            switch (track.codec()) {
                case CodecConfig.Avc(var config) ->
                        NativeMemory.setExtradata(decoder.context(), config.bytes());
                case CodecConfig.Hevc(var config) ->
                        NativeMemory.setExtradata(decoder.context(), config.bytes());
                case CodecConfig.Av1(var config) ->
                        NativeMemory.setExtradata(decoder.context(), config.bytes());
                case CodecConfig.Aac _, CodecConfig.Opus _, CodecConfig.Mp3 _ -> {}
            }
            decoder.timeBase(track.timescale().ticksPerSecond());
            decoder.context().thread_count(threads).max_pixels(VideoSequence.MAX_DECODED_PIXELS);
            if (place != Place.PROCESSOR) {
                // With it the decoder chooses frames of the GPU. The context releases it.
                Gpu.device().ifPresent(decoder.context()::hw_device_ctx);
            }
            Malformed.run(decoder::open, "decoder configuration");
            return decoder;
        } catch (RuntimeException e) {
            decoder.close();
            throw e;
        }
    }

    /** Takes effect with the next unit. */
    public void skip(Skip skip) {
        decoder.context().skip_frame(skip.level);
    }

    /**
     * Decodes a unit.
     *
     * @return zero or more frames, which the caller closes
     * @throws MalformedMediaException its bytes are invalid, or it has a sequence header that
     *     demands too much; decoding can continue at the next key frame
     */
    public List<VideoFrame> decode(AccessUnit unit) {
        admission.admit(unit);
        if (drained) {
            flush();
        }
        AVPacket packet = decoder.packet();
        NativeMemory.fill(packet, unit.payload());
        packet.dts(unit.dtsTicks()).pts(unit.ptsTicks());
        packet.flags(unit.idr() ? avcodec.AV_PKT_FLAG_KEY : 0);
        return Malformed.call(
                () -> {
                    Ffmpeg.check(decoder.sendPacket(), "avcodec_send_packet");
                    return received();
                },
                "video access unit");
    }

    /** Returns the remaining frames, which the caller closes; the next unit must be a key frame. */
    public List<VideoFrame> drain() {
        if (drained) {
            return List.of();
        }
        drained = true;
        decoder.sendEnd();
        return Malformed.call(this::received, "video access unit");
    }

    /** Discards buffered data, before a seek; the next unit must be a key frame. */
    public void flush() {
        decoder.flush();
        drained = false;
    }

    private List<VideoFrame> received() {
        List<VideoFrame> frames = new ArrayList<>(1);
        try {
            while (decoder.receiveFrame()) {
                frames.add(videoFrame(decoder.frame()));
            }
            return frames;
        } catch (RuntimeException e) {
            frames.forEach(VideoFrame::close);
            throw e;
        }
    }

    private VideoFrame videoFrame(AVFrame frame) {
        if (frame.width() > FrameFormat.MAX_SIDE || frame.height() > FrameFormat.MAX_SIDE) {
            throw new MalformedMediaException(
                    "frame size: %dx%d".formatted(frame.width(), frame.height()));
        }
        long ticks = frame.best_effort_timestamp();
        long pts =
                track.timescale().equals(Timescale.VIDEO)
                        ? ticks
                        : Timescale.VIDEO.fromUs(track.timescale().toUs(ticks));
        Colour colour = FrameConverter.colourOf(frame);
        int format = frame.format();
        if (format == avutil.AV_PIX_FMT_YUV420P || format == avutil.AV_PIX_FMT_YUVJ420P) {
            frame.format(avutil.AV_PIX_FMT_YUV420P);
            return VideoFrame.moved(frame, colour, pts);
        }
        if (format == avutil.AV_PIX_FMT_CUDA) {
            VideoFrame decoded = VideoFrame.moved(frame, colour, pts);
            return place == Place.GPU ? decoded : downloaded(decoded);
        }
        FrameConverter current = converter;
        if (current == null || !current.fits(frame)) {
            if (current != null) {
                converter = null;
                current.close();
            }
            current = FrameConverter.open(frame);
            converter = current;
        }
        return current.convert(frame, pts);
    }

    private VideoFrame downloaded(VideoFrame decoded) {
        try (decoded) {
            return download.of(decoded);
        }
    }

    private static String decoderName(CodecConfig codec) {
        return switch (codec) {
            case CodecConfig.Avc _ -> "h264";
            case CodecConfig.Hevc _ -> "hevc";
            case CodecConfig.Av1 _ -> "libaom-av1";
            case CodecConfig.Aac _, CodecConfig.Opus _, CodecConfig.Mp3 _ ->
                    throw new IllegalArgumentException("not a video track: " + codec.rfc6381());
        };
    }

    @Override
    public void close() {
        download.close();
        if (converter != null) {
            converter.close();
            converter = null;
        }
        decoder.close();
        admission.close();
    }
}
