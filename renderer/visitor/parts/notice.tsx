/** A page that says one thing. */
export const Notice = ({ title, text }: { title: string; text: string }) => (
  <div className="tester">
    <h1>{title}</h1>
    <p>{text}</p>
  </div>
)
