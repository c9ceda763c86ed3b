package touchline.api.egress;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpRequest;

/** {@link Egress} as an HTTP client of the AWS SDK. Any thread. */
final class AwsHttpClient implements SdkHttpClient {
    /** Headers that the HTTP client writes. */
    private static final Set<String> OWN = Set.of("host", "content-length", "transfer-encoding");

    private final Egress egress;
    private final EgressLimits limits;

    AwsHttpClient(Egress egress, EgressLimits limits) {
        this.egress = egress;
        this.limits = limits;
    }

    @Override
    public String clientName() {
        return "touchline-egress";
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest execute) {
        SdkHttpRequest asked = execute.httpRequest();
        URI url = asked.getUri();
        HttpUriRequestBase request = new HttpUriRequestBase(asked.method().name(), url);
        asked.forEachHeader(
                (name, values) -> {
                    if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
                        values.forEach(value -> request.addHeader(name, value));
                    }
                });
        return new Call(request, asked, execute.contentStreamProvider().orElse(null));
    }

    /** The owner closes the client behind it. */
    @Override
    public void close() {}

    private final class Call implements ExecutableHttpRequest {
        private final HttpUriRequestBase request;
        private final SdkHttpRequest asked;
        private final @Nullable ContentStreamProvider content;

        Call(
                HttpUriRequestBase request,
                SdkHttpRequest asked,
                @Nullable ContentStreamProvider content) {
            this.request = request;
            this.asked = asked;
            this.content = content;
        }

        @Override
        public HttpExecuteResponse call() throws IOException {
            if (content != null) {
                long lengthBytes =
                        asked.firstMatchingHeader("Content-Length")
                                .map(Long::parseLong)
                                .orElse(-1L);
                request.setEntity(new Content(content.newStream(), lengthBytes));
            }
            Deadline deadline = egress.deadline(limits, request::cancel);
            try {
                ClassicHttpResponse response = egress.open(request, limits);
                return executed(response, deadline);
            } catch (IOException e) {
                deadline.close();
                throw Egress.failure(e, deadline.passed());
            }
        }

        private HttpExecuteResponse executed(ClassicHttpResponse response, Deadline deadline)
                throws IOException {
            SdkHttpFullResponse.Builder head =
                    SdkHttpFullResponse.builder().statusCode(response.getCode());
            if (response.getReasonPhrase() != null) {
                head.statusText(response.getReasonPhrase());
            }
            for (Header header : response.getHeaders()) {
                head.appendHeader(header.getName(), header.getValue());
            }
            HttpExecuteResponse.Builder executed =
                    HttpExecuteResponse.builder().response(head.build());
            if (response.getEntity() == null) {
                deadline.close();
                response.close();
            } else {
                InputStream body = new Body(response.getEntity().getContent(), response, deadline);
                executed.responseBody(AbortableInputStream.create(body, this));
            }
            return executed.build();
        }

        @Override
        public void abort() {
            request.cancel();
        }
    }

    /** What is sent, in pieces that are large beside the cost of a system call. */
    private static final class Content extends AbstractHttpEntity {
        private static final int PIECE_BYTES = 64 * 1024;

        private final InputStream in;
        private final long lengthBytes;

        /**
         * @param in closed when it has been sent
         * @param lengthBytes negative if it is unknown
         */
        Content(InputStream in, long lengthBytes) {
            super(/* contentType= */ (String) null, /* contentEncoding= */ null);
            this.in = in;
            this.lengthBytes = lengthBytes;
        }

        @Override
        public void writeTo(OutputStream out) throws IOException {
            try (in) {
                byte[] piece = new byte[PIECE_BYTES];
                for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                    out.write(piece, 0, read);
                }
            }
        }

        @Override
        public InputStream getContent() {
            return in;
        }

        @Override
        public long getContentLength() {
            return lengthBytes;
        }

        @Override
        public boolean isStreaming() {
            return true;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    /** Its close returns the connection to the pool. */
    private static final class Body extends FilterInputStream {
        private final ClassicHttpResponse response;
        private final Deadline deadline;

        Body(InputStream in, ClassicHttpResponse response, Deadline deadline) {
            super(in);
            this.response = response;
            this.deadline = deadline;
        }

        @Override
        public void close() throws IOException {
            deadline.close();
            try {
                super.close();
            } finally {
                response.close();
            }
        }
    }
}
