package touchline.media.ffmpeg;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avutil;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;

/**
 * Encodes frames to H.264. Input is in presentation order. Output is access units in decode order,
 * as length-prefixed NAL units, with times in 1/90 000 s. One owner thread, a platform thread: the
 * native call takes milliseconds.
 */
public final class VideoEncoder implements AutoCloseable {
    private final VideoSettings settings;
    private final boolean takesGpuFrames;
    private final CodecContext encoder;
    private final Track track;

    private final GpuDownload download = new GpuDownload();

    private long lastPtsTicks = Long.MIN_VALUE;
    private boolean finished;

    private VideoEncoder(VideoSettings settings, boolean takesGpuFrames, CodecContext encoder) {
        this.settings = settings;
        this.takesGpuFrames = takesGpuFrames;
        this.encoder = encoder;
        AVCodecContext context = encoder.context();
        byte[] parameterSets =
                NativeMemory.copyOf(context.extradata(), context.extradata_size())
                        .toArray(ValueLayout.JAVA_BYTE);
        AvcConfig config = AnnexB.config(parameterSets);
        this.track = new Track(Track.VIDEO_ID, Timescale.VIDEO, new CodecConfig.Avc(config));
    }

    /**
     * The caller closes it.
     *
     * @throws FfmpegException this host lacks the encoder, or the encoder rejects the settings
     */
    public static VideoEncoder open(VideoSettings settings) {
        return open(settings, /* sampleAspect= */ 1);
    }

    /**
     * The same for samples that are not square.
     *
     * @param sampleAspect width / height of a sample, above 0
     */
    public static VideoEncoder open(VideoSettings settings, double sampleAspect) {
        return open(settings, sampleAspect, /* gpuFrames= */ false);
    }

    /**
     * The same for frames that come in the memory of the GPU, as YUV 4:2:0 with 8 bits per sample.
     *
     * @param gpuFrames whether NVENC reads them there, see {@link Gpu#encodes}; frames that come in
     *     the other memory are copied by each encoder
     */
    public static VideoEncoder open(
            VideoSettings settings, double sampleAspect, boolean gpuFrames) {
        CodecContext encoder = CodecContext.encoder(settings.encoder().codecName());
        try {
            EncoderOptions.apply(settings, encoder);
            if (gpuFrames) {
                takeGpuFrames(settings, encoder);
            }
            if (sampleAspect != 1) {
                encoder.sampleAspect(sampleAspect);
            }
            encoder.open();
            return new VideoEncoder(settings, gpuFrames, encoder);
        } catch (RuntimeException e) {
            encoder.close();
            throw e;
        }
    }

    private static void takeGpuFrames(VideoSettings settings, CodecContext encoder) {
        if (settings.encoder() != H264Encoder.NVENC) {
            throw new IllegalArgumentException(
                    settings.encoder().configName() + " does not read the memory of the GPU");
        }
        FrameFormat format = settings.format();
        // The context releases it.
        encoder.context()
                .pix_fmt(avutil.AV_PIX_FMT_CUDA)
                .hw_frames_ctx(
                        Gpu.frames(format.width(), format.height(), avutil.AV_PIX_FMT_YUV420P));
    }

    /**
     * Returns the track, valid from the start: the configuration is known before the first frame.
     */
    public Track track() {
        return track;
    }

    public VideoSettings settings() {
        return settings;
    }

    /**
     * Changes the bit rate from the next frame on, without a key frame; openh264 keeps its rate.
     *
     * @param bitrateBps within the limits of {@link VideoSettings}
     */
    public void bitrate(int bitrateBps) {
        VideoSettings changed = settings.withBitrate(bitrateBps);
        if (settings.encoder() != H264Encoder.OPENH264) {
            EncoderOptions.applyRate(changed, encoder.context());
        }
    }

    /**
     * Encodes a frame. The caller keeps the frame and may reuse it afterwards.
     *
     * @param forceKeyFrame encode an IDR frame outside the regular interval
     * @return zero or more units; with B-frames the first decode times precede the first
     *     presentation time and may be negative
     * @throws IllegalArgumentException different size, or a time not after the previous frame's
     */
    public List<AccessUnit> encode(VideoFrame videoFrame, boolean forceKeyFrame) {
        if (finished) {
            throw new IllegalStateException("encoder is finished");
        }
        check(videoFrame);
        if (videoFrame.isOnGpu() && !takesGpuFrames) {
            try (VideoFrame copy = download.of(videoFrame)) {
                return encodeFrame(copy, forceKeyFrame);
            }
        }
        if (takesGpuFrames && !videoFrame.isOnGpu()) {
            try (VideoFrame copy = Gpu.upload(videoFrame)) {
                return encodeFrame(copy, forceKeyFrame);
            }
        }
        return encodeFrame(videoFrame, forceKeyFrame);
    }

    private List<AccessUnit> encodeFrame(VideoFrame videoFrame, boolean forceKeyFrame) {
        lastPtsTicks = videoFrame.ptsTicks();
        AVFrame frame = videoFrame.frame();
        // A decoded frame keeps its old type, which the encoder would treat as a request.
        frame.pict_type(forceKeyFrame ? avutil.AV_PICTURE_TYPE_I : avutil.AV_PICTURE_TYPE_NONE);
        encoder.send(frame);
        return received();
    }

    /** Returns the remaining units; after this the encoder accepts no more frames. */
    public List<AccessUnit> finish() {
        if (finished) {
            return List.of();
        }
        finished = true;
        encoder.send(null);
        return received();
    }

    private void check(VideoFrame videoFrame) {
        FrameFormat came = videoFrame.format();
        FrameFormat expected = settings.format();
        if (came.width() != expected.width() || came.height() != expected.height()) {
            throw new IllegalArgumentException("frame: " + came + " (expected: " + expected + ")");
        }
        if (videoFrame.ptsTicks() <= lastPtsTicks) {
            throw new IllegalArgumentException(
                    "pts: " + videoFrame.ptsTicks() + " (expected: > " + lastPtsTicks + ")");
        }
    }

    private List<AccessUnit> received() {
        List<AccessUnit> units = new ArrayList<>(1);
        while (encoder.receivePacket()) {
            AVPacket packet = encoder.packet();
            byte[] stream =
                    NativeMemory.copyOf(packet.data(), packet.size())
                            .toArray(ValueLayout.JAVA_BYTE);
            long dts = packet.dts();
            int offset = Math.toIntExact(packet.pts() - dts);
            AnnexB.Unit unit = AnnexB.toLengthPrefixed(stream);
            units.add(new AccessUnit(track, dts, offset, unit.idr(), unit.payload()));
        }
        return units;
    }

    @Override
    public void close() {
        download.close();
        encoder.close();
    }
}
